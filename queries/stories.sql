-- The events of some incidents that opened in [$from, $to), by agent, incident
-- and time, of each the first nine and the last. $incidents is a JSON list of
-- objects with agent and incident. Only events before $until are looked for;
-- whole: those are all that the incident has.
WITH wanted AS (
    SELECT unnest(from_json($incidents, '[{"agent": "VARCHAR", "incident": "VARCHAR"}]'), recursive := true)
), incidents AS (
    SELECT i.agent, i.incident, coalesce(i.operation, '') AS operation, i.category::VARCHAR AS category,
        i.events AS has, i.resolution::VARCHAR AS resolution, coalesce(i.fingerprint, '') AS fingerprint
    FROM numbered_incidents() AS i
    SEMI JOIN wanted AS w ON w.agent = i.agent AND w.incident = i.incident
    WHERE i.opened_at >= $from AND i.opened_at < $to
)
SELECT i.agent, i.incident, i.operation, coalesce(i.category, 'unknown'), i.resolution, i.fingerprint,
    e.kind::VARCHAR, e.time, e.attempt, e.wait_ms, coalesce(e.code, ''), coalesce(left(e.message, 2000), ''),
    coalesce(e.resolution::VARCHAR, ''), coalesce(e.provider, ''), coalesce(e.model, ''),
    count(*) OVER same AS events,
    row_number() OVER (same ORDER BY e.time, coalesce(e.attempt, 0), e.id) AS place,
    count(*) OVER same >= i.has AS whole
FROM events AS e
JOIN incidents AS i ON i.agent = e.agent AND i.incident = coalesce(e.incident, e.id)
WHERE e.time >= $from AND e.time < $until -- no event of an incident lies before it opened
WINDOW same AS (PARTITION BY i.agent, i.incident)
QUALIFY place <= 9 OR place = events
ORDER BY i.agent, i.incident, place;
