-- What went to a human, of the incidents that opened in [$from, $to), by
-- category and operation, most first: how many of how many, the retries made
-- before, and the median seconds from the first failure to the end.
WITH counted AS (
    SELECT opening, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE NOT cancelled
    GROUP BY opening
), groups AS (
    SELECT coalesce(category::VARCHAR, 'unknown') AS category, coalesce(operation, '') AS operation, sum(incidents)::BIGINT AS incidents
    FROM counted JOIN openings USING (opening)
    GROUP BY ALL
), ended AS (
    SELECT coalesce(category::VARCHAR, 'unknown') AS category, coalesce(operation, '') AS operation,
        count(*) AS human,
        least(coalesce(sum(retries), 0), 9007199254740991)::BIGINT AS retries,
        quantile_cont(epoch(closed_at) - epoch(opened_at), 0.5) AS seconds
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE NOT cancelled AND resolution = 'human'
    GROUP BY ALL
)
SELECT category, operation, human, incidents, retries, seconds
FROM ended JOIN groups USING (category, operation)
ORDER BY human DESC, category, operation;
