-- The events of a Parquet file, each as the JSON that an agent would publish,
-- in the order of the file. Tags are left out: they are made anew.
SELECT json_object(
    'id', id, 'time', strftime(time, '%Y-%m-%dT%H:%M:%S.%fZ'), 'kind', kind, 'agent', agent, 'session', session, 'turn', turn,
    'operation', operation, 'step', step, 'component', component, 'args_hash', args_hash, 'incident', incident,
    'attempt', attempt, 'max_retries', max_retries, 'wait_ms', wait_ms, 'duration_ms', duration_ms,
    'code', code, 'status', status, 'message', message, 'detail', detail, 'resolution', coalesce(resolution_text, resolution),
    'score', score, 'score_bar', score_bar, 'score_name', score_name, 'provider', provider, 'model', model,
    'tokens', tokens, 'cost_usd', cost_usd, 'trace_id', trace_id, 'source', source, 'attrs', attrs::JSON)::VARCHAR AS event
FROM read_parquet($file);
