-- The first schema: what is stored, and the two public views.
-- Closed lists are ENUMs in the order of package classify, which a test compares.
CREATE TYPE kind AS ENUM ('failure', 'success', 'end');
CREATE TYPE taxonomy AS ENUM ('execution', 'transient', 'fatal', 'unknown');
CREATE TYPE category AS ENUM (
    'rate_limit', 'network', 'server_error', 'timeout', 'auth', 'quota', 'permission', 'missing_file',
    'file_io', 'missing_dependency', 'font', 'plot', 'validation', 'malformed_output', 'context_length',
    'content_filter', 'quality_gate', 'code_error', 'resource', 'crash', 'loop_limit', 'cancelled', 'unknown');
CREATE TYPE resolution AS ENUM (
    'retried', 'fallback', 'degraded', 'compressed', 'human',
    'skipped', 'partial', 'abandoned', 'stopped', 'terminated', 'open');

-- No primary key: its index would cost a quarter of the insert rate and most of
-- the disk. The insert itself leaves out ids that are already there.
CREATE TABLE events (
    id VARCHAR NOT NULL,
    time TIMESTAMPTZ NOT NULL,
    kind kind NOT NULL,
    agent VARCHAR NOT NULL,
    session VARCHAR,
    turn BIGINT,
    operation VARCHAR,
    step VARCHAR,
    component VARCHAR,
    args_hash VARCHAR,
    incident VARCHAR,
    attempt BIGINT,
    max_retries BIGINT,
    wait_ms BIGINT,
    duration_ms BIGINT,
    code VARCHAR,
    status VARCHAR,
    message VARCHAR,
    detail VARCHAR,
    resolution resolution,
    resolution_text VARCHAR, -- the free text that resolution was made from
    score DOUBLE,
    score_bar DOUBLE,
    score_name VARCHAR,
    provider VARCHAR,
    model VARCHAR,
    tokens BIGINT,
    cost_usd DOUBLE,
    trace_id VARCHAR,
    source VARCHAR NOT NULL,
    attrs MAP(VARCHAR, VARCHAR),
    taxonomy taxonomy,
    category category,
    retryable BOOLEAN,
    rule VARCHAR,
    fingerprint VARCHAR,
    position UBIGINT NOT NULL -- base of its stream in offsets + sequence in the stream
);

-- The store's own id, which names its consumer on a NATS server that it shares.
CREATE TABLE store AS SELECT uuid()::VARCHAR AS id;

-- How far each stream is stored. A stream that was made anew under the same
-- name counts its sequence from 1 again; created tells them apart, and base
-- keeps the positions of the store rising.
CREATE TABLE offsets (
    stream VARCHAR NOT NULL,
    created TIMESTAMPTZ NOT NULL,
    base UBIGINT NOT NULL,
    sequence UBIGINT NOT NULL,
    PRIMARY KEY (stream, created)
);

-- Bad input, as it came but for its secrets.
CREATE TABLE quarantine (
    id VARCHAR NOT NULL,
    arrived TIMESTAMPTZ NOT NULL,
    hour TIMESTAMPTZ NOT NULL, -- of the books that count it
    source VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    place VARCHAR NOT NULL, -- where in the message or file it stood
    reason VARCHAR NOT NULL,
    raw VARCHAR NOT NULL,
    position UBIGINT NOT NULL
);

-- The books, per hour and source: published = stored + deduplicated + quarantined + expired.
-- An hour, not a day, so that the days of every time zone of whole hours can be made of it.
CREATE TABLE books (
    hour TIMESTAMPTZ NOT NULL,
    source VARCHAR NOT NULL,
    published UBIGINT NOT NULL,
    stored UBIGINT NOT NULL,
    deduplicated UBIGINT NOT NULL,
    quarantined UBIGINT NOT NULL,
    expired UBIGINT NOT NULL,
    PRIMARY KEY (hour, source)
);

CREATE TABLE policies (
    agent VARCHAR NOT NULL,
    operation VARCHAR NOT NULL,
    category VARCHAR NOT NULL,
    knob VARCHAR NOT NULL,
    value DOUBLE NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    reason VARCHAR
);

CREATE TABLE suggestions (
    id VARCHAR NOT NULL,
    month DATE NOT NULL,
    made TIMESTAMPTZ NOT NULL,
    body VARCHAR NOT NULL -- the suggestion as tune prints it in JSON
);

-- An incident is one operation that failed at least once, with all its
-- attempts and how it ended. What opened it (code, category, model) is that of
-- its first failure; its resolution that of its latest outcome. Events of one
-- time are ordered by attempt, then id, so that the order of arrival never
-- changes an answer. A failure after the latest outcome does not open it again:
-- only another outcome says otherwise.
CREATE VIEW v_incidents AS
WITH marked AS (
    SELECT *,
        coalesce(incident, id) AS key,
        {'time': time, 'attempt': coalesce(attempt, 0), 'id': id} AS place,
        CASE
            WHEN kind = 'success' THEN coalesce(resolution, 'retried')
            WHEN kind = 'end' THEN coalesce(resolution, 'abandoned')
            ELSE resolution
        END AS outcome
    FROM events
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
        sum(cost_usd) AS cost_usd
    FROM marked
    GROUP BY agent, key
    HAVING failures > 0
), ended AS (
    SELECT *,
        CASE
            WHEN closing IS NULL THEN 'open'
            -- An untold success of another model or provider is a fallback.
            WHEN closing.kind = 'success' AND NOT closing.tagged
                AND (closing.model <> opening.model OR closing.provider <> opening.provider) THEN 'fallback'
            -- One after the history was compressed is due to that.
            WHEN closing.kind = 'success' AND NOT closing.tagged AND compressed THEN 'compressed'
            ELSE closing.outcome
        END::resolution AS ending
    FROM grouped
)
SELECT
    agent,
    key AS incident,
    opening.session AS session,
    opening.operation AS operation,
    opening.step AS step,
    opening.source AS source,
    opening.code AS code,
    opening.status AS status,
    opening.message AS message,
    opening.provider AS provider,
    opening.model AS model,
    opening.taxonomy AS taxonomy,
    opening.category AS category,
    opening.retryable AS retryable,
    opening.fingerprint AS fingerprint,
    opened_at,
    closed_at,
    date_trunc('month', opened_at AT TIME ZONE 'UTC')::DATE AS month,
    attempts,
    attempts - 1 AS retries,
    max_retries,
    closing.kind AS closed_by,
    closing.attempt AS closing_attempt,
    failed_attempts,
    ending AS resolution,
    ending IN ('retried', 'fallback', 'degraded', 'compressed', 'human') AS resolved,
    opening.category IS NOT DISTINCT FROM 'cancelled' AS cancelled,
    events, failures, wait_ms, duration_ms, tokens, cost_usd
FROM ended;

-- Incidents of each month (UTC) by agent, operation, code and tags.
CREATE VIEW v_monthly AS
SELECT
    month, agent, operation, code, taxonomy, category,
    count(*) AS incidents,
    count(*) FILTER (resolved AND NOT cancelled) AS resolved,
    count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
    count(*) FILTER (cancelled) AS cancelled,
    count(*) FILTER (resolved AND NOT cancelled) / nullif(count(*) FILTER (NOT cancelled), 0) AS resolution_rate,
    avg(retries) AS retries_mean
FROM v_incidents
GROUP BY ALL;
