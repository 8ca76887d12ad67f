-- How long the calls of [$from, $to) took that passed or ran into a timeout, by
-- agent, operation, outcome and duration.
SELECT agent, operation, kind = 'success' AS passed, duration_ms, count(*) AS calls
FROM events
WHERE time >= $from AND time < $to AND operation IS NOT NULL AND duration_ms >= 0
    AND (kind = 'success' OR kind = 'failure' AND category = 'timeout')
GROUP BY ALL
ORDER BY agent, operation, duration_ms, passed;
