-- The agents that retried an incident which opened in [$from, $to), by name. Of
-- days that lie within it counts tell; only of those that it ends within are the
-- incidents read.
WITH cut AS (
    SELECT DISTINCT day FROM incidents_daily
    WHERE last_opened >= $from AND first_opened < $to AND (first_opened < $from OR last_opened >= $to)
)
SELECT DISTINCT agent FROM openings
WHERE category IS DISTINCT FROM 'cancelled' AND opening IN (
    SELECT opening FROM incidents_daily WHERE first_opened >= $from AND last_opened < $to AND retries > 0
    UNION ALL
    SELECT opening FROM incidents
    WHERE opened_at >= $from AND opened_at < $to AND attempts > 1 AND day_of(opened_at) IN (SELECT day FROM cut)
)
ORDER BY agent;
