-- The calls of each hour of [$from, $to) by agent: first tries, retries, those
-- of them that passed, and the milliseconds that retries waited and ran. Only
-- operations whose first tries mostly passed count: where most failed, the
-- passes are not all told, and nobody knows the traffic. By agent and hour.
WITH passed AS (
    SELECT agent, operation, count(*) AS tries
    FROM events
    WHERE time >= $from AND time < $to AND kind = 'success' AND attempt = 1 AND operation IS NOT NULL
    GROUP BY ALL
), failed AS (
    SELECT e.agent, e.operation, count(*) AS tries
    FROM events AS e SEMI JOIN passed AS p ON p.agent = e.agent AND p.operation = e.operation
    WHERE time >= $from AND time < $to AND kind = 'failure' AND attempt = 1
    GROUP BY ALL
), known AS (
    SELECT agent, operation
    FROM passed LEFT JOIN failed USING (agent, operation)
    WHERE passed.tries > coalesce(failed.tries, 0)
)
SELECT e.agent, date_trunc('hour', time) AS hour,
    count(*) FILTER (attempt = 1) AS tries,
    count(*) FILTER (attempt > 1) AS retries,
    count(*) FILTER (attempt > 1 AND kind = 'success') AS won,
    least(coalesce(sum(greatest(coalesce(wait_ms, 0), 0) + greatest(coalesce(duration_ms, 0), 0)) FILTER (attempt > 1), 0), 9007199254740991)::BIGINT AS ms
FROM events AS e SEMI JOIN known AS k ON k.agent = e.agent AND k.operation = e.operation
WHERE time >= $from AND time < $to AND attempt >= 1 AND kind <> 'end'
GROUP BY ALL
ORDER BY agent, hour;
