-- How long the calls of [$from, $to) took that passed or ran into a timeout, by
-- agent, operation, outcome and duration, and from when to when there were such.
-- Calls that passed too soon to matter for a limit are told in one row an
-- operation: those shorter than four tenths of all that ran into one, and than 98
-- in 100 of those that passed; all, where none ran into one. Calls that failed
-- otherwise are told where they took longer than that. The kinds of calls are
-- looked for apart: one filter of all reads every row.
WITH cuts AS MATERIALIZED ( -- of few durations: limits are round
    SELECT agent, operation, duration_ms, count(*) AS calls, min(time) AS first, max(time) AS last
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'failure' AND category = 'timeout' AND operation IS NOT NULL AND duration_ms >= 0
    GROUP BY ALL
), passes AS (
    SELECT agent, operation, duration_ms, time
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'success' AND operation IS NOT NULL AND duration_ms >= 0
), operations AS MATERIALIZED (
    SELECT agent, operation, p.passed, p.longest,
        CASE WHEN c.shortest IS NOT NULL THEN least(c.shortest // 5 * 2, p.most) END AS edge
    FROM (
        SELECT agent, operation, count(*) AS passed, max(duration_ms) AS longest, quantile_disc(duration_ms, 0.98) AS most
        FROM passes
        GROUP BY ALL
    ) AS p
    LEFT JOIN (SELECT agent, operation, min(duration_ms) AS shortest FROM cuts GROUP BY ALL) AS c USING (agent, operation)
), behind AS MATERIALIZED (
    SELECT agent, operation, duration_ms, count(*) AS calls, min(time) AS first, max(time) AS last
    FROM passes
    JOIN operations USING (agent, operation)
    WHERE duration_ms >= edge AND duration_ms >= (SELECT min(edge) FROM operations)
    GROUP BY ALL
), failures AS (
    SELECT agent, operation, duration_ms, count(*) AS calls, min(time) AS first, max(time) AS last
    FROM events
    JOIN operations USING (agent, operation)
    WHERE time >= $from AND time < $to AND kind = 'failure' AND category IS DISTINCT FROM 'timeout' AND operation IS NOT NULL
        AND duration_ms >= edge AND duration_ms >= (SELECT min(edge) FROM operations)
    GROUP BY ALL
)
SELECT agent, operation, true AS passed, false AS cut, duration_ms, calls, first, last FROM behind
UNION ALL
SELECT agent, operation, false, true, duration_ms, calls, first, last FROM cuts
UNION ALL
SELECT agent, operation, false, false, duration_ms, calls, first, last FROM failures
UNION ALL
SELECT agent, operation, true, false, least(edge - 1, longest), (passed - coalesce(told, 0))::BIGINT AS calls, $from, $to
FROM operations
LEFT JOIN (SELECT agent, operation, sum(calls) AS told FROM behind GROUP BY ALL) USING (agent, operation)
WHERE calls > 0
ORDER BY agent, operation, duration_ms, passed, cut;
