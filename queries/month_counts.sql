-- The months, in $timezone, in which incidents opened from $since on, with what
-- they count, newest first. Quarters of an hour are counted first: every zone's months
-- begin with one.
WITH quarters AS (
    SELECT make_timestamptz(epoch_us(opened_at) // 900_000_000 * 900_000_000) AS quarter,
        count(*) AS incidents,
        count(*) FILTER (resolved AND NOT cancelled) AS resolved,
        count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
        count(*) FILTER (cancelled) AS cancelled
    FROM v_incidents
    WHERE opened_at >= $since
    GROUP BY quarter
)
SELECT strftime(quarter AT TIME ZONE $timezone, '%Y-%m') AS month,
    sum(incidents)::BIGINT AS incidents, sum(resolved)::BIGINT AS resolved, sum(open)::BIGINT AS open, sum(cancelled)::BIGINT AS cancelled
FROM quarters
GROUP BY month
ORDER BY month DESC;
