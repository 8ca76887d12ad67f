-- What the rows [$begin, $end) of the events tell of attempts, but for events
-- before $from: no event of an incident lies before it opened. In no order.
SELECT hash(agent, coalesce(incident, id)) AS number, kind <> 'failure' AS outcome,
    attempt, max_retries, time AS at, wait_ms, duration_ms, tokens, cost_usd, score, score_bar,
    -- Seconds that the server asked to wait after the first attempt.
    CASE WHEN attempt = 1 AND (contains(attrs, 'etry_after') OR contains(attrs, 'etry-')) THEN
        try_cast(coalesce(attrs ->> '$.retry_after', attrs ->> '$.retry_after_s', attrs ->> '$."retry-after"', attrs ->> '$."Retry-After"') AS DOUBLE)
    END AS retry_after
FROM events
WHERE rowid >= $begin AND rowid < $end AND time >= $from AND position <= (SELECT position FROM incidents_upto);
