-- One incident of an agent that opened in [$from, $to), which lets the store
-- pass over all others. No row or one.
SELECT agent, incident, coalesce(session, ''), coalesce(operation, ''), coalesce(step, ''), coalesce(source, ''),
    coalesce(code, ''), coalesce(status, ''), coalesce(message, ''), coalesce(provider, ''), coalesce(model, ''),
    coalesce(taxonomy::VARCHAR, ''), coalesce(category::VARCHAR, ''), retryable, coalesce(fingerprint, ''),
    opened_at, closed_at, attempts, max_retries, resolution::VARCHAR,
    resolution IN ('retried', 'fallback', 'degraded', 'compressed', 'human') AS resolved,
    events, wait_ms, duration_ms, tokens, cost_usd, first_position
FROM incidents
WHERE failures > 0 AND agent = $agent AND incident = $incident AND opened_at >= $from AND opened_at < $to;
