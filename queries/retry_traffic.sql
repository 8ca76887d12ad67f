-- The calls of each hour of [$from, $to) by agent: first tries, retries, those
-- of them that passed, and the milliseconds that retries waited and ran. Only
-- operations whose first tries mostly passed count: where most failed, the
-- passes are not all told, and nobody knows the traffic. An agent that has none
-- of these, but retries, has a row without an hour. By agent and hour.
WITH operations AS (
    SELECT agent, operation,
        count(*) FILTER (attempt = 1 AND kind = 'success') > count(*) FILTER (attempt = 1 AND kind = 'failure') AS told,
        count(*) FILTER (attempt > 1) AS retries
    FROM events
    WHERE time >= $from AND time < $to AND attempt >= 1 AND kind <> 'end' AND operation IS NOT NULL
    GROUP BY ALL
)
SELECT agent, NULL AS hour, 0 AS tries, 0 AS retries, 0 AS won, 0 AS ms
FROM operations
GROUP BY agent HAVING NOT bool_or(told) AND sum(retries) > 0
UNION ALL
SELECT e.agent, date_trunc('hour', time) AS hour,
    count(*) FILTER (attempt = 1) AS tries,
    count(*) FILTER (attempt > 1) AS retries,
    count(*) FILTER (attempt > 1 AND kind = 'success') AS won,
    coalesce(sum(greatest(coalesce(wait_ms, 0), 0) + greatest(coalesce(duration_ms, 0), 0)) FILTER (attempt > 1), 0)::BIGINT AS ms
FROM events AS e
SEMI JOIN (FROM operations WHERE told) AS o ON o.agent = e.agent AND o.operation = e.operation
WHERE time >= $from AND time < $to AND attempt >= 1 AND kind <> 'end'
GROUP BY ALL
ORDER BY agent, hour;
