-- The calls of [$from, $to) that a limit of $least_ms or more would change, or
-- that tell what one above the present limit would: those that ran into a timeout,
-- and those that took longer than $least_ms or four tenths of the longest of
-- these. By agent, operation, duration and outcome.
WITH cuts AS MATERIALIZED (
    SELECT agent, operation, duration_ms, count(*) AS calls
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'failure' AND category = 'timeout' AND operation IS NOT NULL AND duration_ms >= 0
    GROUP BY ALL
), limits AS MATERIALIZED (
    SELECT agent, operation, max(duration_ms) AS longest FROM cuts GROUP BY ALL
)
SELECT agent, operation, false AS passed, true AS cut, duration_ms, calls FROM cuts
UNION ALL
SELECT agent, operation, kind = 'success' AS passed, false AS cut, duration_ms, count(*) AS calls
FROM events
LEFT JOIN limits USING (agent, operation)
WHERE time >= $from AND time < $to AND operation IS NOT NULL AND duration_ms >= least($least_ms, longest // 5 * 2)
    AND (kind = 'success' OR kind = 'failure' AND category IS DISTINCT FROM 'timeout')
GROUP BY ALL
ORDER BY agent, operation, duration_ms, passed, cut;
