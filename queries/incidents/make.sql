-- Makes the touched incidents from all their events, of which none lies before
-- position $low. What opened one (code, category, model) is that of its first
-- failure; its resolution that of its latest outcome. Events of one time are
-- ordered by attempt, then id, so that the order of arrival never changes an
-- answer. A failure after the latest outcome does not open it again: only
-- another outcome says otherwise.
CREATE OR REPLACE TEMP TABLE made AS
WITH marked AS (
    SELECT e.*, coalesce(e.incident, e.id) AS key,
        {'time': e.time, 'attempt': coalesce(e.attempt, 0), 'id': e.id} AS place,
        CASE
            WHEN kind = 'success' THEN coalesce(resolution, 'retried')
            WHEN kind = 'end' THEN coalesce(resolution, 'abandoned')
            ELSE resolution
        END AS outcome
    FROM events AS e
    SEMI JOIN touched AS t ON t.agent = e.agent AND t.incident = coalesce(e.incident, e.id)
    WHERE e.position >= $low
), grouped AS (
    SELECT agent, key,
        min(time) AS opened_at,
        max(time) FILTER (outcome IS NOT NULL) AS closed_at,
        arg_min({
            'session': session, 'operation': operation, 'step': step, 'source': source,
            'code': code, 'status': status, 'message': message,
            'provider': provider, 'model': model,
            'taxonomy': taxonomy, 'category': category, 'retryable': retryable, 'fingerprint': fingerprint
        }, place) FILTER (kind = 'failure') AS opening,
        arg_max({
            'outcome': outcome, 'kind': kind, 'tagged': resolution IS NOT NULL,
            'provider': provider, 'model': model, 'attempt': attempt
        }, place) FILTER (outcome IS NOT NULL) AS closing,
        max(attempt) AS attempts,
        max(attempt) FILTER (kind = 'failure') AS failed_attempts,
        max(max_retries) AS max_retries,
        coalesce(bool_or(resolution = 'compressed'), false) AS compressed,
        count(*) AS events,
        count(*) FILTER (kind = 'failure') AS failures,
        sum(wait_ms)::BIGINT AS wait_ms,
        sum(duration_ms)::BIGINT AS duration_ms,
        sum(tokens)::BIGINT AS tokens,
        sum(cost_usd) AS cost_usd,
        min(position) AS first_position
    FROM marked
    GROUP BY agent, key
)
SELECT
    agent, key AS incident,
    opening.session AS session, opening.operation AS operation, opening.step AS step, opening.source AS source,
    opening.code AS code, opening.status AS status, opening.message AS message,
    opening.provider AS provider, opening.model AS model,
    opening.taxonomy AS taxonomy, opening.category AS category, opening.retryable AS retryable, opening.fingerprint AS fingerprint,
    opened_at, closed_at, attempts, max_retries, closing.kind AS closed_by, closing.attempt AS closing_attempt, failed_attempts,
    CASE
        WHEN closing IS NULL THEN 'open'
        -- An untold success of another model or provider is a fallback.
        WHEN closing.kind = 'success' AND NOT closing.tagged
            AND (closing.model <> opening.model OR closing.provider <> opening.provider) THEN 'fallback'
        -- One after the history was compressed is due to that.
        WHEN closing.kind = 'success' AND NOT closing.tagged AND compressed THEN 'compressed'
        ELSE closing.outcome
    END::resolution AS resolution,
    events, failures, wait_ms, duration_ms, tokens, cost_usd, first_position
FROM grouped;
