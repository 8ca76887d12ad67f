-- Keeps the incidents that were summed up, with what their first failure tells,
-- its number, and how they ended; no event of them lies before position $low. A
-- month then lies together in the file.
INSERT INTO incidents BY NAME
SELECT
    m.agent, m.incident, e.session, e.operation, e.step, e.source, e.code, e.status, e.message,
    e.provider, e.model, e.taxonomy, e.category, e.retryable, e.fingerprint,
    m.opened_at, m.closed_at, m.attempts, m.max_retries, c.kind AS closed_by, c.attempt AS closing_attempt, m.failed_attempts,
    CASE
        WHEN c.kind IS NULL THEN 'open'
        -- An untold success of another model or provider is a fallback.
        WHEN c.kind = 'success' AND c.resolution IS NULL AND (c.model <> e.model OR c.provider <> e.provider) THEN 'fallback'
        -- One after the history was compressed is due to that.
        WHEN c.kind = 'success' AND c.resolution IS NULL AND m.compressed THEN 'compressed'
        WHEN c.kind = 'success' THEN coalesce(c.resolution, 'retried')
        WHEN c.kind = 'end' THEN coalesce(c.resolution, 'abandoned')
        ELSE c.resolution
    END::resolution AS resolution,
    m.events, m.failures, m.wait_ms, m.duration_ms, m.tokens, m.cost_usd, m.first_position, o.opening
FROM made AS m
LEFT JOIN events AS e ON e.rowid = m.opening_row AND e.position >= $low::UBIGINT
LEFT JOIN events AS c ON c.rowid = m.closing_row AND c.position >= $low::UBIGINT
LEFT JOIN openings AS o ON o.agent = e.agent
    AND o.operation IS NOT DISTINCT FROM e.operation AND o.code IS NOT DISTINCT FROM e.code
    AND o.taxonomy IS NOT DISTINCT FROM e.taxonomy AND o.category IS NOT DISTINCT FROM e.category
    AND o.retryable IS NOT DISTINCT FROM e.retryable AND o.fingerprint IS NOT DISTINCT FROM e.fingerprint
    AND o.provider IS NOT DISTINCT FROM e.provider AND o.model IS NOT DISTINCT FROM e.model
    AND o.source IS NOT DISTINCT FROM e.source
ORDER BY m.opened_at, m.agent, m.incident;
