-- The months (UTC) in which events lie, in their order.
SELECT DISTINCT date_trunc('month', start_of_day(day)) AS month
FROM (SELECT DISTINCT day_of(time) AS day FROM events)
ORDER BY month;
