-- Incidents that opened in [$from, $to) and carry an attempt, by the retries
-- they made, rising.
SELECT retries, count(*) AS incidents, count(*) FILTER (resolved) AS resolved
FROM v_incidents
WHERE opened_at >= $from AND opened_at < $to AND retries IS NOT NULL AND NOT cancelled
GROUP BY retries
ORDER BY retries;
