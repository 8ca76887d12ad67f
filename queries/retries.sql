-- Incidents that opened in [$from, $to) and carry an attempt, by the retries
-- they made, rising.
SELECT retries, count(*) AS incidents, count(*) FILTER (resolved) AS resolved
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE retries IS NOT NULL AND NOT cancelled
GROUP BY retries
ORDER BY retries;
