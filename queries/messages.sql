-- The messages, by fingerprint, of incidents that opened in [$from, $to): the
-- $most most frequent of all, of the new and of the returned ones, most frequent
-- first. New: no incident of the store had it before. Returned: it had been away
-- for 30 days or more. Both ask the whole history, whatever the span is limited
-- to. The last three columns count all messages of the span.
WITH counted AS (
    SELECT opening, count(*) AS incidents, count(*) FILTER (resolved) AS resolved, min(opened_at) AS opened, max(opened_at) AS last_seen
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY opening
), here AS (
    SELECT fingerprint,
        sum(incidents)::BIGINT AS incidents,
        coalesce(sum(resolved) FILTER (rated), 0)::BIGINT AS resolved,
        coalesce(sum(incidents) FILTER (rated), 0)::BIGINT AS rated,
        min(opened) AS opened, max(last_seen) AS last_seen
    FROM counted JOIN openings_of('', '', '', '') USING (opening)
    WHERE fingerprint IS NOT NULL
    GROUP BY fingerprint
), before AS (
    SELECT fingerprint, min(first) AS first_seen, max(last) AS last_seen
    FROM opened_before($from::TIMESTAMPTZ) JOIN openings USING (opening)
    WHERE fingerprint IS NOT NULL
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
), chosen AS (
    SELECT *,
        count(*) OVER () AS messages,
        count(*) FILTER (mark = 'new') OVER () AS new,
        count(*) FILTER (mark = 'returned') OVER () AS returned
    FROM compared
    QUALIFY row_number() OVER (ORDER BY incidents DESC, opened, fingerprint) <= $most
        OR mark <> '' AND row_number() OVER (PARTITION BY mark ORDER BY incidents DESC, opened, fingerprint) <= $most
), told AS ( -- only of those are the texts read
    SELECT c.fingerprint,
        arg_min({'message': i.message, 'code': i.code, 'operation': i.operation, 'category': i.category}, {'agent': i.agent, 'incident': i.incident}) AS first
    FROM chosen AS c
    JOIN openings AS o ON o.fingerprint = c.fingerprint
    JOIN incidents_in($from, $to, $agent, $operation, $category, $provider) AS i ON i.opening = o.opening AND i.opened_at = c.opened
    GROUP BY c.fingerprint
)
SELECT fingerprint, coalesce(first.message, first.code, '') AS message, coalesce(first.operation, '') AS operation,
    coalesce(first.category::VARCHAR, 'unknown') AS category, incidents, resolved, rated, first_seen, last_seen, mark,
    messages, new, returned,
    (SELECT min(first_opened) FROM incidents_daily) < $from AS comparable
FROM chosen JOIN told USING (fingerprint)
ORDER BY incidents DESC, opened, fingerprint;
