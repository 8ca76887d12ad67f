-- The incidents that opened in [$from, $to), carry an attempt, and whose first
-- event lies in the positions [$low, $high]. In no order.
SELECT hash(agent, incident) AS number, events, agent, coalesce(operation, '') AS operation, coalesce(category::VARCHAR, '') AS category, source,
    resolution IN ('retried', 'fallback', 'degraded', 'compressed', 'human') AS resolved, -- as in v_incidents
    resolution IN ('retried', 'compressed') AS by_retry,
    coalesce(closed_by = 'success', false) AS by_success,
    attempts, coalesce(failed_attempts, 0) AS failed_attempts, closing_attempt, opened_at, coalesce(closed_at, opened_at) AS closed_at
FROM incidents
WHERE first_position >= $low AND first_position <= $high
    AND opened_at >= $from AND opened_at < $to AND failures > 0 AND attempts IS NOT NULL AND category IS DISTINCT FROM 'cancelled';
