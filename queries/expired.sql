-- Incidents whose events have expired, of the months (UTC) that [$from, $to)
-- touches in $timezone and that pass the filter, by code, most frequent first.
-- Of providers nothing is kept: a filter for one lets none pass.
SELECT
    coalesce(code, '') AS code,
    sum(incidents)::BIGINT AS incidents,
    sum(resolved)::BIGINT AS resolved,
    sum(coalesce(rated, incidents - cancelled))::BIGINT AS rated,
    least(sum(retries), 9007199254740991)::BIGINT AS retries,
    sum(with_attempts)::BIGINT AS with_attempts
FROM monthly
WHERE month >= date_trunc('month', $from::TIMESTAMPTZ AT TIME ZONE $timezone) AND month < $to::TIMESTAMPTZ AT TIME ZONE $timezone
    AND $agent IN ('', agent) AND $operation IN ('', operation) AND $category IN ('', category::VARCHAR) AND $provider = ''
GROUP BY coalesce(code, '')
ORDER BY incidents DESC, code;
