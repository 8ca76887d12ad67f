-- Incidents that opened in [$from, $to) by local weekday (1 is Monday) and hour,
-- in that order; without incidents there is no row. Quarters of an hour are
-- counted first: every zone's hours begin with one.
WITH quarters AS (
    SELECT quarter_of(opened_at) AS quarter, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY ALL
), local AS (
    SELECT start_of_quarter(quarter) AT TIME ZONE $timezone AS quarter, incidents FROM quarters
)
SELECT
    isodow(quarter) AS weekday,
    hour(quarter) AS hour,
    sum(incidents)::BIGINT AS incidents
FROM local
GROUP BY ALL
ORDER BY ALL;
