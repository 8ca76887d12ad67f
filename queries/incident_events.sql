-- The first $most events of one incident that the store comes upon from
-- position $first on, where the incident begins, by time. The store stops
-- looking once it has as many, so $most is how many the incident has.
WITH found AS (
    SELECT *
    FROM events
    WHERE position >= $first AND agent = $agent AND (incident = $incident OR incident IS NULL AND id = $incident)
    LIMIT $most
)
SELECT id, time, kind::VARCHAR, coalesce(operation, ''), coalesce(step, ''), coalesce(component, ''),
    attempt, max_retries, wait_ms, duration_ms,
    coalesce(code, ''), coalesce(status, ''), coalesce(message, ''), coalesce(detail, ''),
    coalesce(resolution::VARCHAR, ''), coalesce(resolution_text, ''), score, score_bar,
    coalesce(provider, ''), coalesce(model, ''), tokens, coalesce(trace_id, ''), coalesce(attrs, '{}'),
    coalesce(category::VARCHAR, ''), coalesce(rule, '')
FROM found
ORDER BY time, coalesce(attempt, 0), id;
