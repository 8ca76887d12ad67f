-- The attempts of the incidents that opened in [$from, $to) and carry an
-- attempt, for the tuner: by agent, operation, category, incident and attempt.
WITH incidents AS (
    SELECT agent, incident, coalesce(operation, '') AS operation, category::VARCHAR AS category, source,
        attempts, coalesce(failed_attempts, 0) AS failed_attempts, resolution::VARCHAR AS resolution, resolved,
        coalesce(closed_by::VARCHAR, '') AS closed_by, closing_attempt, opened_at
    FROM v_incidents
    WHERE opened_at >= $from AND opened_at < $to AND attempts IS NOT NULL AND NOT cancelled
), outcomes AS (
    SELECT agent, incident, count(*) AS outcomes
    FROM events
    WHERE kind <> 'failure' AND incident IS NOT NULL AND time >= $from
    GROUP BY ALL
)
SELECT i.agent, i.operation, i.category, i.source, i.incident, i.attempts, i.failed_attempts, i.resolution, i.resolved,
    i.closed_by, i.closing_attempt, i.opened_at, coalesce(o.outcomes, 0) AS outcomes,
    e.attempt, max(e.max_retries) AS max_retries, min(e.time) AS at,
    max(e.wait_ms) AS wait_ms, max(e.duration_ms) AS duration_ms, max(e.tokens) AS tokens, max(e.cost_usd) AS cost_usd,
    max(e.score) AS score, max(e.score_bar) AS score_bar,
    -- Seconds that the server asked to wait after this attempt.
    max(try_cast(coalesce(e.attrs ->> '$.retry_after', e.attrs ->> '$.retry_after_s', e.attrs ->> '$."retry-after"', e.attrs ->> '$."Retry-After"') AS DOUBLE)) AS retry_after
FROM incidents AS i
JOIN events AS e ON e.agent = i.agent AND coalesce(e.incident, e.id) = i.incident
LEFT JOIN outcomes AS o ON o.agent = i.agent AND o.incident = i.incident
WHERE e.attempt IS NOT NULL AND e.time >= $from -- no event of an incident lies before it opened
GROUP BY ALL
ORDER BY i.agent, i.operation, i.category, i.incident, e.attempt;
