-- The months, in $timezone, in which incidents opened, newest first. A day has
-- incidents of two months at most: those of its first one and of its last one.
WITH days AS (
    SELECT min(first_opened) AT TIME ZONE $timezone AS first, max(last_opened) AT TIME ZONE $timezone AS last
    FROM incidents_daily
    GROUP BY day
)
SELECT strftime(first, '%Y-%m') AS month FROM days
UNION
SELECT strftime(last, '%Y-%m') FROM days
ORDER BY month DESC;
