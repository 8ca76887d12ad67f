-- The attempts of the incidents that opened in [$from, $to) and carry an
-- attempt, for the tuner: by agent, operation, category, incident and attempt.
WITH incidents AS (
    SELECT agent, incident, coalesce(operation, '') AS operation, category::VARCHAR AS category, source,
        attempts, coalesce(failed_attempts, 0) AS failed_attempts, max_retries, resolution::VARCHAR AS resolution, resolved,
        coalesce(closed_by::VARCHAR, '') AS closed_by, closing_attempt
    FROM v_incidents
    WHERE opened_at >= $from AND opened_at < $to AND attempts IS NOT NULL AND NOT cancelled
)
SELECT i.agent, i.operation, i.category, i.source, i.incident, i.attempts, i.failed_attempts, i.max_retries, i.resolution, i.resolved,
    i.closed_by, i.closing_attempt,
    e.attempt, max(e.wait_ms) AS wait_ms, max(e.duration_ms) AS duration_ms, max(e.tokens) AS tokens
FROM incidents AS i
JOIN events AS e ON e.agent = i.agent AND coalesce(e.incident, e.id) = i.incident
WHERE e.attempt IS NOT NULL AND e.time >= $from -- no event of an incident lies before it opened
GROUP BY ALL
ORDER BY i.agent, i.operation, i.category, i.incident, e.attempt;
