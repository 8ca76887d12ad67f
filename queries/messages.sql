-- The messages, by fingerprint, of incidents that opened in [$from, $to): the
-- $most most frequent of all, of the new and of the returned ones, most frequent
-- first. New: no incident of the store had it before. Returned: it had been away
-- for 30 days or more. Both ask the whole history, whatever the span is limited
-- to. The last three columns count all messages of the span.
WITH here AS (
    SELECT fingerprint,
        count(*) AS incidents,
        count(*) FILTER (resolved AND rated) AS resolved,
        count(*) FILTER (rated) AS rated,
        min(opened_at) AS opened, max(opened_at) AS last_seen,
        arg_min({'message': message, 'code': code, 'operation': operation, 'category': category}, {'at': opened_at, 'agent': agent, 'incident': incident}) AS first
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE fingerprint IS NOT NULL
    GROUP BY fingerprint
), before AS (
    SELECT fingerprint, min(opened_at) AS first_seen, max(opened_at) AS last_seen
    FROM v_incidents
    SEMI JOIN here USING (fingerprint)
    WHERE opened_at < $from
    GROUP BY fingerprint
), compared AS (
    SELECT h.*, coalesce(b.first_seen, h.opened) AS first_seen,
        CASE
            WHEN b.fingerprint IS NULL THEN 'new'
            WHEN h.opened >= b.last_seen + INTERVAL 30 DAY THEN 'returned'
            ELSE ''
        END AS mark
    FROM here AS h
    LEFT JOIN before AS b USING (fingerprint)
)
SELECT fingerprint, coalesce(first.message, first.code, '') AS message, coalesce(first.operation, '') AS operation,
    coalesce(first.category::VARCHAR, 'unknown') AS category, incidents, resolved, rated, first_seen, last_seen, mark,
    count(*) OVER () AS messages,
    count(*) FILTER (mark = 'new') OVER () AS new,
    count(*) FILTER (mark = 'returned') OVER () AS returned,
    (SELECT min(opened_at) FROM v_incidents) < $from AS comparable
FROM compared
QUALIFY row_number() OVER (ORDER BY incidents DESC, opened, fingerprint) <= $most
    OR mark <> '' AND row_number() OVER (PARTITION BY mark ORDER BY incidents DESC, opened, fingerprint) <= $most
ORDER BY incidents DESC, opened, fingerprint;
