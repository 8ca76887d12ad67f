-- How long the calls of [$from, $to) took that passed or ran into a timeout, by
-- agent, operation, outcome and duration. Calls that passed too soon to matter
-- for a limit are told in one row an operation: those shorter than all that ran
-- into one, than 98 in 100 of those that passed, and than eight tenths of the
-- longest limit; all, where none ran into one. The two kinds of calls are looked
-- for apart: one filter of both reads every row.
WITH calls AS (
    SELECT agent, operation, true AS passed, duration_ms
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'success' AND operation IS NOT NULL AND duration_ms >= 0
    UNION ALL
    SELECT agent, operation, false AS passed, duration_ms
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'failure' AND category = 'timeout' AND operation IS NOT NULL AND duration_ms >= 0
), operations AS MATERIALIZED (
    SELECT agent, operation,
        count(*) FILTER (passed) AS passed,
        max(duration_ms) FILTER (passed) AS longest,
        min(duration_ms) FILTER (NOT passed) AS cut,
        -- Of operations without a timeout nothing lies behind it.
        CASE WHEN cut IS NULL THEN longest::HUGEINT + 1 ELSE
            least(cut, quantile_disc(duration_ms, 0.98) FILTER (passed), max(duration_ms) FILTER (NOT passed) // 5 * 4)
        END AS edge
    FROM calls
    GROUP BY agent, operation
), behind AS MATERIALIZED (
    SELECT agent, operation, passed, duration_ms, count(*) AS calls
    FROM calls
    JOIN (SELECT agent, operation, edge FROM operations WHERE cut IS NOT NULL) AS o USING (agent, operation)
    WHERE duration_ms >= edge AND duration_ms >= (SELECT min(edge) FROM operations WHERE cut IS NOT NULL)
    GROUP BY ALL
)
SELECT agent, operation, passed, duration_ms, calls FROM behind
UNION ALL
SELECT agent, operation, true, least(edge - 1, longest)::BIGINT, passed - coalesce(told, 0) AS calls
FROM operations
LEFT JOIN (SELECT agent, operation, sum(calls) AS told FROM behind WHERE passed GROUP BY ALL) USING (agent, operation)
WHERE calls > 0
ORDER BY agent, operation, duration_ms, passed;
