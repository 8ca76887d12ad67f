-- The events of [$from, $to) with their public columns, those of one incident
-- together: that takes an eighth less space than by time.
SELECT id, time, kind::VARCHAR, agent, session, turn, operation, step, component, args_hash, incident,
    attempt, max_retries, wait_ms, duration_ms, code, status, message, detail, resolution::VARCHAR, resolution_text,
    score, score_bar, score_name, provider, model, tokens, cost_usd, trace_id, source, attrs,
    taxonomy::VARCHAR, category::VARCHAR, retryable, rule, fingerprint
FROM events
WHERE time >= $from AND time < $to
ORDER BY agent, coalesce(incident, id), time, id;
