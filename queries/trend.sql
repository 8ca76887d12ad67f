-- The incidents of each month of $timezone that has any in [$from, $to), in the
-- order of months; after each month (of which the code is NULL) its five most
-- frequent codes, with how many there are. Of incidents whose events have
-- expired the months of UTC are kept, without their providers.
WITH stored AS (
    SELECT month, opening, sum(incidents) AS incidents, sum(resolved) AS resolved, sum(open) AS open,
        sum(retries) AS retries, sum(with_attempts) AS with_attempts, sum(retries_lost) AS retries_lost
    FROM counted_monthly($from::TIMESTAMPTZ, $to::TIMESTAMPTZ, $timezone, $agent, $operation, $category, $provider)
    GROUP BY month, opening
), counted AS (
    SELECT month, coalesce(code, '') AS code, incidents, if(rated, resolved, 0) AS resolved, if(rated, incidents, 0) AS rated, if(cancelled, 0, open) AS open,
        retries, with_attempts, if(hopeless, retries_lost, NULL) AS wasted, 0 AS expired
    FROM stored JOIN openings_of('', '', '', '') USING (opening)
    UNION ALL BY NAME
    SELECT strftime(month, '%Y-%m') AS month, coalesce(code, '') AS code, incidents, resolved, coalesce(rated, incidents - cancelled) AS rated, open,
        retries, with_attempts, incidents AS expired
    FROM monthly
    WHERE month >= date_trunc('month', $from::TIMESTAMPTZ AT TIME ZONE $timezone) AND month < $to::TIMESTAMPTZ AT TIME ZONE $timezone
        AND $agent IN ('', agent) AND $operation IN ('', operation) AND $category IN ('', category::VARCHAR) AND $provider = ''
), summed AS (
    SELECT
        month, code, grouping(code) AS whole,
        sum(incidents)::BIGINT AS incidents,
        sum(resolved)::BIGINT AS resolved,
        sum(rated)::BIGINT AS rated,
        sum(open)::BIGINT AS open,
        least(coalesce(sum(retries), 0), 9007199254740991)::BIGINT AS retries,
        sum(with_attempts)::BIGINT AS with_attempts,
        least(coalesce(sum(wasted), 0), 9007199254740991)::BIGINT AS wasted,
        sum(expired)::BIGINT AS expired
    FROM counted
    GROUP BY GROUPING SETS ((month), (month, code))
)
SELECT month, code, incidents, resolved, rated, open, retries, with_attempts, wasted, expired,
    count(*) OVER (PARTITION BY month, whole) AS codes
FROM summed
QUALIFY row_number() OVER (PARTITION BY month, whole ORDER BY incidents DESC, code) <= 5
ORDER BY month, whole DESC, incidents DESC, code;
