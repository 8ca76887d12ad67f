-- What each source showed of the incidents that opened in [$from, $to), by
-- name: how many carry an attempt, and how many an outcome.
SELECT
    source,
    count(*) AS incidents,
    count(*) FILTER (attempts IS NOT NULL) AS with_attempts,
    count(*) FILTER (resolution <> 'open') AS with_outcome
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
GROUP BY source
ORDER BY source;
