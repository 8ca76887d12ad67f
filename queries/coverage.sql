-- What each source showed of the incidents that opened in [$from, $to), by
-- name: how many carry an attempt, how many an outcome, how many the rates
-- count, and what the source can show (NULL: it is in no list).
SELECT
    i.source,
    count(*) AS incidents,
    count(*) FILTER (i.attempts IS NOT NULL) AS with_attempts,
    count(*) FILTER (i.resolution <> 'open') AS with_outcome,
    count(*) FILTER (i.cancelled) AS cancelled,
    count(*) FILTER (i.rated) AS rated,
    any_value(s.attempts) AS attempts,
    any_value(s.final) AS final,
    any_value(s.recoveries) AS recoveries
FROM incidents_in($from, $to, $agent, $operation, $category, $provider) AS i
LEFT JOIN sources AS s ON s.source = i.source
GROUP BY i.source
ORDER BY i.source;
