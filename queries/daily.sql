-- Incidents by local day and taxonomy of those that opened in [$from, $to), in
-- the order of days. Days without incidents have no row. Quarters of an hour are
-- counted first: every zone's days begin with one.
WITH quarters AS (
    SELECT quarter_of(opened_at) AS quarter, opening, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY ALL
), tagged AS (
    SELECT quarter, taxonomy, sum(incidents) AS incidents FROM quarters JOIN openings USING (opening) GROUP BY ALL
)
SELECT
    strftime(start_of_quarter(quarter) AT TIME ZONE $timezone, '%Y-%m-%d') AS day,
    coalesce(tagged.taxonomy::VARCHAR, 'unknown') AS taxonomy,
    sum(incidents)::BIGINT AS incidents
FROM tagged
GROUP BY day, tagged.taxonomy
ORDER BY day, tagged.taxonomy;
