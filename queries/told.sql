-- What agents told of the requests of $sessions, a JSON list of ids, from $from
-- to $to, on ways that others may tell of as well; by time and id.
SELECT
    id,
    coalesce(incident, id) AS incident,
    time,
    kind::VARCHAR AS kind,
    agent,
    session,
    operation,
    attempt,
    coalesce(status, '') AS status,
    coalesce(resolution::VARCHAR, '') AS resolution,
    attrs ->> 'told_by' AS told_by,
    coalesce(attrs ->> 'request_id', '') AS request_id,
    coalesce(attrs ->> 'prompt_id', '') AS prompt_id
FROM events
WHERE time BETWEEN $from AND $to
    AND list_contains(from_json($sessions, '["VARCHAR"]'), session)
    AND (attrs ->> 'told_by') IS NOT NULL
    AND operation IS NOT NULL
ORDER BY time, id;
