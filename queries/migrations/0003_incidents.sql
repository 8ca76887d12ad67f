-- Incidents as a table that follows the events, so that a month's report does
-- not read all history. See ../incidents/.
DROP VIEW v_monthly;
DROP VIEW v_incidents;

CREATE TABLE incidents (
    agent VARCHAR NOT NULL,
    incident VARCHAR NOT NULL,
    session VARCHAR,
    operation VARCHAR,
    step VARCHAR,
    source VARCHAR,
    code VARCHAR,
    status VARCHAR,
    message VARCHAR,
    provider VARCHAR,
    model VARCHAR,
    taxonomy taxonomy,
    category category,
    retryable BOOLEAN,
    fingerprint VARCHAR,
    opened_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ,
    attempts BIGINT,
    max_retries BIGINT,
    closed_by kind,
    closing_attempt BIGINT,
    failed_attempts BIGINT,
    resolution resolution NOT NULL,
    events BIGINT NOT NULL,
    failures BIGINT NOT NULL, -- 0: only successes so far, no incident yet
    wait_ms BIGINT,
    duration_ms BIGINT,
    tokens BIGINT,
    cost_usd DOUBLE,
    first_position UBIGINT NOT NULL -- of its events
);

-- Up to which position events are told in incidents. One row.
CREATE TABLE incidents_upto (position UBIGINT NOT NULL);
INSERT INTO incidents_upto VALUES (0);

-- An incident is one operation that failed at least once, with all its
-- attempts and how it ended.
CREATE VIEW v_incidents AS
SELECT
    agent, incident, session, operation, step, source, code, status, message, provider, model,
    taxonomy, category, retryable, fingerprint, opened_at, closed_at,
    date_trunc('month', opened_at AT TIME ZONE 'UTC')::DATE AS month,
    attempts, attempts - 1 AS retries, max_retries, closed_by, closing_attempt, failed_attempts,
    resolution,
    resolution IN ('retried', 'fallback', 'degraded', 'compressed', 'human') AS resolved,
    category IS NOT DISTINCT FROM 'cancelled' AS cancelled,
    events, failures, wait_ms, duration_ms, tokens, cost_usd
FROM incidents
WHERE failures > 0;

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
