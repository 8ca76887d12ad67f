-- The agents that retried an incident which opened in [$from, $to), by name.
SELECT DISTINCT agent FROM v_incidents
WHERE opened_at >= $from AND opened_at < $to AND attempts > 1 AND NOT cancelled
ORDER BY agent;
