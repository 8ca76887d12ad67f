-- The attempts of the incidents that opened in [$from, $to) and carry an
-- attempt, for the tuner: by agent, operation, category, incident and attempt.
WITH incidents AS (
    SELECT agent, incident, coalesce(operation, '') AS operation, category::VARCHAR AS category,
        attempts, max_retries, resolution::VARCHAR AS resolution
    FROM v_incidents
    WHERE opened_at >= $from AND opened_at < $to AND attempts IS NOT NULL AND NOT cancelled
)
SELECT i.agent, i.operation, i.category, i.incident, i.attempts, i.max_retries, i.resolution,
    e.attempt, max(e.wait_ms) AS wait_ms, max(e.duration_ms) AS duration_ms, max(e.tokens) AS tokens
FROM incidents AS i
JOIN events AS e ON e.agent = i.agent AND coalesce(e.incident, e.id) = i.incident
WHERE e.attempt IS NOT NULL
GROUP BY ALL
ORDER BY i.agent, i.operation, i.category, i.incident, e.attempt;
