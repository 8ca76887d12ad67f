-- How long the calls of [$from, $to) took that passed or ran into a timeout, by
-- agent, operation, outcome and duration. Calls that passed too soon to matter
-- for a limit are told in one row an operation: those shorter than all that ran
-- into one, than 98 in 100 of those that passed, and than eight tenths of the
-- longest limit; all, where none ran into one. The two kinds of calls are looked
-- for apart: one filter of both reads every row.
WITH cuts AS MATERIALIZED ( -- of few durations: limits are round
    SELECT agent, operation, duration_ms, count(*) AS calls
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'failure' AND category = 'timeout' AND operation IS NOT NULL AND duration_ms >= 0
    GROUP BY ALL
), passes AS (
    SELECT agent, operation, duration_ms
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'success' AND operation IS NOT NULL AND duration_ms >= 0
), operations AS MATERIALIZED (
    SELECT agent, operation, p.passed, p.longest,
        CASE WHEN c.shortest IS NOT NULL THEN least(c.shortest, p.most, c.longest // 5 * 4) END AS edge
    FROM (
        SELECT agent, operation, count(*) AS passed, max(duration_ms) AS longest, quantile_disc(duration_ms, 0.98) AS most
        FROM passes
        GROUP BY ALL
    ) AS p
    LEFT JOIN (SELECT agent, operation, min(duration_ms) AS shortest, max(duration_ms) AS longest FROM cuts GROUP BY ALL) AS c USING (agent, operation)
), behind AS MATERIALIZED (
    SELECT agent, operation, duration_ms, count(*) AS calls
    FROM passes
    JOIN operations USING (agent, operation)
    WHERE duration_ms >= edge AND duration_ms >= (SELECT min(edge) FROM operations)
    GROUP BY ALL
)
SELECT agent, operation, true AS passed, duration_ms, calls FROM behind
UNION ALL
SELECT agent, operation, false, duration_ms, calls FROM cuts
UNION ALL
SELECT agent, operation, true, least(edge - 1, longest), (passed - coalesce(told, 0))::BIGINT AS calls
FROM operations
LEFT JOIN (SELECT agent, operation, sum(calls) AS told FROM behind GROUP BY ALL) USING (agent, operation)
WHERE calls > 0
ORDER BY agent, operation, duration_ms, passed;
