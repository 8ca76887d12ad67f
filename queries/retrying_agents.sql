-- The agents that retried an incident which opened in [$from, $to), by name.
SELECT DISTINCT agent FROM openings
WHERE category IS DISTINCT FROM 'cancelled'
    AND opening IN (SELECT opening FROM incidents WHERE opened_at >= $from AND opened_at < $to AND attempts > 1)
ORDER BY agent;
