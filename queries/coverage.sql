-- What each source showed of the incidents that opened in [$from, $to), by
-- name: how many carry an attempt, how many an outcome, how many the rates
-- count, and what the source can show (NULL: it is in no list).
WITH counted AS (
    SELECT opening, count(*) AS incidents, count(attempts) AS with_attempts, count(*) FILTER (resolution <> 'open') AS with_outcome
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY opening
)
SELECT
    o.source,
    sum(incidents)::BIGINT AS incidents,
    sum(with_attempts)::BIGINT AS with_attempts,
    sum(with_outcome)::BIGINT AS with_outcome,
    coalesce(sum(incidents) FILTER (o.cancelled), 0)::BIGINT AS cancelled,
    coalesce(sum(incidents) FILTER (o.rated), 0)::BIGINT AS rated,
    any_value(s.attempts) AS attempts,
    any_value(s.final) AS final,
    any_value(s.recoveries) AS recoveries
FROM counted AS c
JOIN openings_of('', '', '', '') AS o ON o.opening = c.opening
LEFT JOIN sources AS s ON s.source = o.source
GROUP BY o.source
ORDER BY o.source;
