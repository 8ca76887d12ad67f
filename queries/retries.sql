-- Incidents that opened in [$from, $to) and carry an attempt, by the retries
-- they made, rising. The resolved are those of the rated.
SELECT retries, count(*) AS incidents, count(*) FILTER (resolved AND rated) AS resolved, count(*) FILTER (rated) AS rated
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE retries IS NOT NULL AND NOT cancelled
GROUP BY retries
ORDER BY retries;
