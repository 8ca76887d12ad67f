-- The faults of the incidents that opened in [$from, $to), a fault being all
-- failures of one fingerprint: the $most of them with most incidents, and when
-- each was seen last before. Only those that are new or returned ($quiet ago or
-- longer) where $show says so; a page goes on behind ($after_incidents,
-- $after_fingerprint). Most incidents first, then by fingerprint.
WITH counted AS (
    SELECT opening, count(*) AS incidents, count(*) FILTER (resolved) AS resolved, min(opened_at) AS first, max(opened_at) AS last
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY opening
), seen AS (
    SELECT fingerprint,
        sum(incidents)::BIGINT AS incidents,
        coalesce(sum(resolved) FILTER (NOT cancelled), 0)::BIGINT AS resolved,
        coalesce(sum(incidents) FILTER (cancelled), 0)::BIGINT AS cancelled,
        count(DISTINCT agent) AS agents,
        min(first) AS first,
        max(last) AS last
    FROM counted JOIN openings_of('', '', '', '') USING (opening)
    WHERE fingerprint IS NOT NULL
    GROUP BY fingerprint
), earlier AS (
    SELECT fingerprint, min(first) AS first, max(last) AS last
    FROM opened_before($from::TIMESTAMPTZ) JOIN openings USING (opening)
    WHERE fingerprint IS NOT NULL
    GROUP BY fingerprint
), known AS (
    SELECT s.*, coalesce(e.first, s.first) AS first_ever, e.last AS last_before
    FROM seen AS s LEFT JOIN earlier AS e USING (fingerprint)
), chosen AS (
    SELECT *
    FROM known
    WHERE ($show = '' OR $show = 'new' AND last_before IS NULL OR $show = 'returned' AND last_before <= first - to_seconds($quiet_s))
        AND (incidents < $after_incidents OR incidents = $after_incidents AND fingerprint > $after_fingerprint)
    ORDER BY incidents DESC, fingerprint
    LIMIT $most
), told AS ( -- only of those are the texts read
    SELECT c.fingerprint, arg_min({'message': i.message, 'code': i.code, 'operation': i.operation, 'category': i.category}, (i.agent, i.incident)) AS opening
    FROM chosen AS c
    JOIN openings AS o ON o.fingerprint = c.fingerprint
    JOIN incidents_in($from, $to, $agent, $operation, $category, $provider) AS i ON i.opening = o.opening AND i.opened_at = c.first
    GROUP BY c.fingerprint
)
SELECT fingerprint, coalesce(opening.message, '') AS message, coalesce(opening.code, '') AS code, coalesce(opening.operation, '') AS operation, coalesce(opening.category::VARCHAR, '') AS category,
    incidents, resolved, cancelled, agents, first_ever, first, last, last_before
FROM chosen JOIN told USING (fingerprint)
ORDER BY incidents DESC, fingerprint;
