-- The events of the incidents that opened in [$from, $to) and carry an attempt,
-- for the tuner. In no order, and names stand only with the event that opened
-- an incident's position: [Attempts] puts together what belongs together, for
-- a tenth of what grouping and sorting millions of rows by name costs here.
SELECT i.rowid AS number, i.events,
    e.position = i.first_position AS named,
    CASE WHEN named THEN i.agent ELSE '' END AS agent,
    CASE WHEN named THEN coalesce(i.operation, '') ELSE '' END AS operation,
    CASE WHEN named THEN coalesce(i.category::VARCHAR, '') ELSE '' END AS category,
    CASE WHEN named THEN i.source ELSE '' END AS source,
    CASE WHEN named THEN i.incident ELSE '' END AS incident,
    CASE WHEN named THEN i.resolution::VARCHAR ELSE '' END AS resolution,
    CASE WHEN named THEN coalesce(i.closed_by::VARCHAR, '') ELSE '' END AS closed_by,
    i.resolution IN ('retried', 'fallback', 'degraded', 'compressed', 'human') AS resolved, -- as in v_incidents
    i.attempts, coalesce(i.failed_attempts, 0) AS failed_attempts, i.closing_attempt, i.opened_at,
    e.kind <> 'failure' AS outcome,
    e.attempt, e.max_retries, e.time AS at, e.wait_ms, e.duration_ms, e.tokens, e.cost_usd, e.score, e.score_bar,
    -- Seconds that the server asked to wait after this attempt.
    try_cast(coalesce(e.attrs ->> '$.retry_after', e.attrs ->> '$.retry_after_s', e.attrs ->> '$."retry-after"', e.attrs ->> '$."Retry-After"') AS DOUBLE) AS retry_after
FROM incidents AS i
JOIN events AS e ON e.agent = i.agent AND coalesce(e.incident, e.id) = i.incident
WHERE i.opened_at >= $from AND i.opened_at < $to AND i.failures > 0 AND i.attempts IS NOT NULL AND i.category IS DISTINCT FROM 'cancelled'
    AND e.time >= $from -- no event of an incident lies before it opened
    AND e.position <= (SELECT position FROM incidents_upto);
