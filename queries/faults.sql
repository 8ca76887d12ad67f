-- The faults of the incidents that opened in [$from, $to), a fault being all
-- failures of one fingerprint: the $most of them with most incidents, and when
-- each was seen last before. Only those that are new or returned ($quiet ago or
-- longer) where $show says so; a page goes on behind ($after_incidents,
-- $after_fingerprint). Most incidents first, then by fingerprint.
WITH seen AS (
    SELECT fingerprint,
        count(*) AS incidents,
        count(*) FILTER (resolved AND NOT cancelled) AS resolved,
        count(*) FILTER (cancelled) AS cancelled,
        count(DISTINCT agent) AS agents,
        min(opened_at) AS first,
        max(opened_at) AS last
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE fingerprint IS NOT NULL
    GROUP BY fingerprint
), earlier AS (
    SELECT fingerprint, min(opened_at) AS first, max(opened_at) AS last
    FROM v_incidents SEMI JOIN seen USING (fingerprint)
    WHERE opened_at < $from
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
), told AS (
    SELECT fingerprint, arg_min({'message': message, 'code': code, 'category': category}, (opened_at, agent, incident)) AS opening
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider) SEMI JOIN chosen USING (fingerprint)
    GROUP BY fingerprint
)
SELECT fingerprint, coalesce(opening.message, '') AS message, coalesce(opening.code, '') AS code, coalesce(opening.category::VARCHAR, '') AS category,
    incidents, resolved, cancelled, agents, first_ever, first, last, last_before
FROM chosen JOIN told USING (fingerprint)
ORDER BY incidents DESC, fingerprint;
