-- Incidents by local day and taxonomy of those that opened in [$from, $to), in
-- the order of days. Days without incidents have no row. Quarters of an hour are
-- counted first: every zone's days begin with one.
WITH quarters AS (
    SELECT time_bucket(INTERVAL '15 minutes', opened_at) AS quarter, taxonomy, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY ALL
)
SELECT
    strftime(quarter AT TIME ZONE $timezone, '%Y-%m-%d') AS day,
    coalesce(quarters.taxonomy::VARCHAR, 'unknown') AS taxonomy,
    sum(incidents)::BIGINT AS incidents
FROM quarters
GROUP BY day, quarters.taxonomy
ORDER BY day, quarters.taxonomy;
