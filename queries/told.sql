-- What agents told of requests from $from to $to, on ways that others may tell
-- of as well: of $sessions, a JSON list of ids, or of all when it is empty; by
-- time and id.
SELECT
    id,
    coalesce(incident, id) AS incident,
    time,
    kind::VARCHAR AS kind,
    source,
    agent,
    session,
    operation,
    attempt,
    coalesce(status, '') AS status,
    coalesce(resolution::VARCHAR, '') AS resolution,
    attrs ->> 'told_by' AS told_by,
    coalesce(attrs ->> 'request_id', '') AS request_id,
    coalesce(attrs ->> 'prompt_id', '') AS prompt_id,
    coalesce(attrs ->> 'query_source', '') AS query_source
FROM events
WHERE time BETWEEN $from AND $to
    AND session IS NOT NULL
    AND ($sessions::VARCHAR = '[]' OR list_contains(from_json($sessions::VARCHAR, '["VARCHAR"]'), session))
    AND (attrs ->> 'told_by') IS NOT NULL
    AND operation IS NOT NULL
ORDER BY time, id;
