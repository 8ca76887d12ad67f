-- Incidents by local day and taxonomy of those that opened in [$from, $to), in
-- the order of days. Days without incidents have no row.
SELECT
    strftime(opened_at AT TIME ZONE $timezone, '%Y-%m-%d') AS day,
    coalesce(taxonomy::VARCHAR, 'unknown') AS taxonomy,
    count(*) AS incidents
FROM v_incidents
WHERE opened_at >= $from AND opened_at < $to
GROUP BY day, v_incidents.taxonomy
ORDER BY day, v_incidents.taxonomy;
