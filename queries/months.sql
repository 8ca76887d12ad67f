-- The months, in $timezone, in which incidents opened, newest first.
SELECT DISTINCT strftime(opened_at AT TIME ZONE $timezone, '%Y-%m') AS month
FROM v_incidents
ORDER BY month DESC;
