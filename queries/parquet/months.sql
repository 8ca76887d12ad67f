-- The months (UTC) in which events lie, in their order.
SELECT DISTINCT date_trunc('month', time) AS month FROM events ORDER BY month;
