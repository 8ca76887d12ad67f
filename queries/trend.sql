-- The incidents of each month of $timezone that has any in [$from, $to), in the
-- order of months; after each month (of which the code is NULL) its five most
-- frequent codes, with how many there are. Of incidents whose events have
-- expired the months of UTC are kept, without their providers. Quarters of an
-- hour are counted first: every zone's months begin with one.
WITH quarters AS (
    SELECT
        time_bucket(INTERVAL '15 minutes', opened_at) AS quarter,
        coalesce(code, '') AS code,
        count(*) AS incidents,
        count(*) FILTER (resolved AND rated) AS resolved,
        count(*) FILTER (rated) AS rated,
        count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
        sum(retries) AS retries,
        count(retries) AS with_attempts,
        sum(retries) FILTER (NOT retryable AND NOT cancelled AND category <> 'unknown' AND resolution NOT IN ('retried', 'compressed')) AS wasted
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    GROUP BY quarter, coalesce(code, '')
), counted AS (
    SELECT strftime(quarter AT TIME ZONE $timezone, '%Y-%m') AS month, * EXCLUDE (quarter), 0 AS expired FROM quarters
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
        coalesce(sum(retries), 0)::BIGINT AS retries,
        sum(with_attempts)::BIGINT AS with_attempts,
        coalesce(sum(wasted), 0)::BIGINT AS wasted,
        sum(expired)::BIGINT AS expired
    FROM counted
    GROUP BY GROUPING SETS ((month), (month, code))
)
SELECT month, code, incidents, resolved, rated, open, retries, with_attempts, wasted, expired,
    count(*) OVER (PARTITION BY month, whole) AS codes
FROM summed
QUALIFY row_number() OVER (PARTITION BY month, whole ORDER BY incidents DESC, code) <= 5
ORDER BY month, whole DESC, incidents DESC, code;
