-- The months, in $timezone, in which incidents opened from $since on, with what
-- they count, newest first.
SELECT month,
    sum(incidents)::BIGINT AS incidents,
    coalesce(sum(resolved) FILTER (NOT cancelled), 0)::BIGINT AS resolved,
    coalesce(sum(open) FILTER (NOT cancelled), 0)::BIGINT AS open,
    coalesce(sum(incidents) FILTER (cancelled), 0)::BIGINT AS cancelled
FROM counted_monthly($since::TIMESTAMPTZ, TIMESTAMPTZ 'infinity', $timezone, '', '', '', '')
JOIN openings_of('', '', '', '') USING (opening)
GROUP BY month
ORDER BY month DESC;
