-- The events of one incident, at most $most, by time. Its first event lies at
-- position $first, and it opened at $opened, the earliest time of all; both let
-- the store pass over others. An event that names no incident is one of its own, alone.
-- The store stops looking once it has as many, so $most is how many there are.
WITH found AS (
    SELECT * FROM events WHERE position = $first AND id = $incident AND agent = $agent AND incident IS NULL
    UNION ALL
    SELECT * FROM events WHERE position >= $first AND time >= $opened AND incident = $incident AND agent = $agent
), first AS (
    SELECT * FROM found LIMIT $most
)
SELECT id, time, kind::VARCHAR, coalesce(operation, ''), coalesce(step, ''), coalesce(component, ''),
    attempt, max_retries, wait_ms, duration_ms,
    coalesce(code, ''), coalesce(status, ''), coalesce(message, ''), coalesce(detail, ''),
    coalesce(resolution::VARCHAR, ''), coalesce(resolution_text, ''), score, score_bar,
    coalesce(provider, ''), coalesce(model, ''), tokens, coalesce(trace_id, ''), coalesce(attrs, '{}'),
    coalesce(category::VARCHAR, ''), coalesce(rule, '')
FROM first
ORDER BY time, coalesce(attempt, 0), id;
