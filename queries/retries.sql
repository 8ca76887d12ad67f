-- Incidents that opened in [$from, $to) and carry an attempt, by the retries
-- they made, rising. The resolved are those of the rated.
WITH counted AS (
    SELECT retries, opening, count(*) AS incidents, count(*) FILTER (resolved) AS resolved
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE retries IS NOT NULL
    GROUP BY retries, opening
)
SELECT retries, sum(incidents)::BIGINT AS incidents,
    coalesce(sum(resolved) FILTER (rated), 0)::BIGINT AS resolved, coalesce(sum(incidents) FILTER (rated), 0)::BIGINT AS rated
FROM counted JOIN openings_of('', '', '', '') USING (opening)
WHERE NOT cancelled
GROUP BY retries
ORDER BY retries;
