-- Of each month of $timezone that has incidents in [$from, $to) the five most
-- frequent codes, most frequent first, as trend.sql counts them: of incidents
-- whose events have expired the months of UTC are kept, without their providers.
WITH quarters AS (
    SELECT
        time_bucket(INTERVAL '15 minutes', opened_at) AS quarter,
        coalesce(code, '') AS code,
        count(*) AS incidents,
        count(*) FILTER (resolved AND rated) AS resolved,
        count(*) FILTER (rated) AS rated
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY quarter, coalesce(code, '')
), counted AS (
    SELECT strftime(quarter AT TIME ZONE $timezone, '%Y-%m') AS month, * EXCLUDE (quarter) FROM quarters
    UNION ALL BY NAME
    SELECT strftime(month, '%Y-%m') AS month, coalesce(code, '') AS code, incidents, resolved, coalesce(rated, incidents - cancelled) AS rated
    FROM monthly
    WHERE month >= date_trunc('month', $from::TIMESTAMPTZ AT TIME ZONE $timezone) AND month < $to::TIMESTAMPTZ AT TIME ZONE $timezone
        AND $agent IN ('', agent) AND $operation IN ('', operation) AND $category IN ('', category::VARCHAR) AND $provider = ''
)
SELECT month, code, sum(incidents)::BIGINT AS incidents, sum(resolved)::BIGINT AS resolved, sum(rated)::BIGINT AS rated,
    count(*) OVER (PARTITION BY month) AS codes
FROM counted
GROUP BY month, code
QUALIFY row_number() OVER (PARTITION BY month ORDER BY sum(incidents) DESC, code) <= 5
ORDER BY month, sum(incidents) DESC, code;
