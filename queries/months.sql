-- The months, in $timezone, in which incidents opened, newest first. Quarters
-- of an hour are told apart first: every zone's months begin with one.
WITH quarters AS (SELECT DISTINCT make_timestamptz(epoch_us(opened_at) // 900_000_000 * 900_000_000) AS quarter FROM v_incidents)
SELECT DISTINCT strftime(quarter AT TIME ZONE $timezone, '%Y-%m') AS month
FROM quarters
ORDER BY month DESC;
