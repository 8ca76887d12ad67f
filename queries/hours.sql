-- Incidents that opened in [$from, $to) by local weekday (1 is Monday) and hour,
-- in that order; without incidents there is no row. Quarters of an hour are
-- counted first: every zone's hours begin with one.
WITH quarters AS (
    SELECT time_bucket(INTERVAL '15 minutes', opened_at) AS quarter, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY ALL
)
SELECT
    isodow(quarter AT TIME ZONE $timezone) AS weekday,
    hour(quarter AT TIME ZONE $timezone) AS hour,
    sum(incidents)::BIGINT AS incidents
FROM quarters
GROUP BY ALL
ORDER BY ALL;
