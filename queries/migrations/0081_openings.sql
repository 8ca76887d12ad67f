-- What incidents open with, a row for each that occurs, and how many opened
-- with it on each day: numbers are grouped faster than names, and the days of a
-- year are read faster than its incidents. See ../incidents/.
CREATE TABLE openings (
    opening INTEGER NOT NULL,
    agent VARCHAR NOT NULL,
    operation VARCHAR,
    code VARCHAR,
    taxonomy taxonomy,
    category category,
    retryable BOOLEAN,
    fingerprint VARCHAR,
    provider VARCHAR,
    model VARCHAR,
    source VARCHAR
);
INSERT INTO openings
SELECT row_number() OVER (), *
FROM (SELECT DISTINCT agent, operation, code, taxonomy, category, retryable, fingerprint, provider, model, source FROM incidents WHERE failures > 0);

ALTER TABLE incidents ADD COLUMN opening INTEGER; -- NULL: only successes so far, no incident yet
UPDATE incidents SET opening = o.opening
FROM openings AS o
WHERE failures > 0 AND o.agent = incidents.agent
    AND o.operation IS NOT DISTINCT FROM incidents.operation AND o.code IS NOT DISTINCT FROM incidents.code
    AND o.taxonomy IS NOT DISTINCT FROM incidents.taxonomy AND o.category IS NOT DISTINCT FROM incidents.category
    AND o.retryable IS NOT DISTINCT FROM incidents.retryable AND o.fingerprint IS NOT DISTINCT FROM incidents.fingerprint
    AND o.provider IS NOT DISTINCT FROM incidents.provider AND o.model IS NOT DISTINCT FROM incidents.model
    AND o.source IS NOT DISTINCT FROM incidents.source;

-- How many stretches of so many microseconds lie before a time, counted from
-- 1970; before that too, as the sum is of the days since the year 0. Every
-- zone's months, days and hours begin with a quarter of an hour of UTC.
CREATE MACRO stretch_of(moment, micros) AS (epoch_us(moment) + 62_167_219_200_000_000) // micros - 62_167_219_200_000_000 // micros;
CREATE MACRO day_of(moment) AS stretch_of(moment, 86_400_000_000);
CREATE MACRO quarter_of(moment) AS stretch_of(moment, 900_000_000);
CREATE MACRO start_of_day(day) AS make_timestamptz(day * 86_400_000_000);
CREATE MACRO start_of_quarter(quarter) AS make_timestamptz(quarter * 900_000_000);

-- How an incident ended: resolved; by what is no retry.
CREATE MACRO resolves(ending) AS ending IN ('retried'::resolution, 'fallback'::resolution, 'degraded'::resolution, 'compressed'::resolution, 'human'::resolution);
CREATE MACRO no_retry_resolves(ending) AS ending NOT IN ('retried'::resolution, 'compressed'::resolution);

CREATE TABLE incidents_daily (
    day BIGINT NOT NULL, -- of UTC, since 1970
    opening INTEGER NOT NULL,
    incidents BIGINT NOT NULL,
    resolved BIGINT NOT NULL,
    open BIGINT NOT NULL,
    retries BIGINT, -- of the incidents that carry an attempt; NULL: none does
    with_attempts BIGINT NOT NULL, -- how many those are
    retries_lost BIGINT, -- those of incidents that no retry resolved
    first_opened TIMESTAMPTZ NOT NULL,
    last_opened TIMESTAMPTZ NOT NULL
);

-- Incidents as in v_incidents, each with the number of what it opened with.
CREATE MACRO numbered_incidents() AS TABLE
SELECT
    agent, incident, session, operation, step, source, code, status, message, provider, model,
    taxonomy, category, retryable, fingerprint, opened_at, closed_at,
    date_trunc('month', opened_at AT TIME ZONE 'UTC')::DATE AS month,
    attempts, attempts - 1 AS retries, max_retries, closed_by, closing_attempt, failed_attempts,
    resolution,
    resolves(resolution) AS resolved,
    no_retry_resolves(resolution) AS lost,
    events, failures, wait_ms, duration_ms, tokens, cost_usd, opening
FROM incidents
WHERE opening IS NOT NULL;

-- The same counted by day, for the days from since to before until.
CREATE MACRO counted_daily(since, until) AS TABLE
SELECT day_of(opened_at) AS day, opening,
    count(*) AS incidents, count(*) FILTER (resolved) AS resolved, count(*) FILTER (resolution = 'open') AS open,
    sum(retries)::BIGINT AS retries, count(retries) AS with_attempts, (sum(retries) FILTER (lost))::BIGINT AS retries_lost,
    min(opened_at) AS first_opened, max(opened_at) AS last_opened
FROM numbered_incidents()
WHERE opened_at >= since AND opened_at < until
GROUP BY ALL;
INSERT INTO incidents_daily BY NAME SELECT * FROM counted_daily(TIMESTAMPTZ '-infinity', TIMESTAMPTZ 'infinity');

-- What incidents open with that pass a filter of the report, of which '' lets
-- everything pass. Rated: the resolution rate counts it, as it was not cancelled
-- and its source can show recoveries. What a source that is not in the list
-- says, such as an agent's own, is believed. Hopeless: the same call cannot
-- pass; NULL is not.
CREATE MACRO openings_of(of_agent, of_operation, of_category, of_provider) AS TABLE
SELECT *,
    category IS NOT DISTINCT FROM 'cancelled' AS cancelled,
    category IS DISTINCT FROM 'cancelled' AND coalesce(source, '') NOT IN (SELECT source FROM sources WHERE NOT recoveries) AS rated,
    NOT retryable AND category <> 'cancelled' AND category <> 'unknown' AS hopeless
FROM openings
WHERE of_agent IN ('', agent) AND of_operation IN ('', operation)
    AND of_category IN ('', category::VARCHAR) AND of_provider IN ('', provider);

-- The incidents that opened in [since, until) with one of those.
CREATE OR REPLACE MACRO incidents_in(since, until, of_agent, of_operation, of_category, of_provider) AS TABLE
SELECT i.*, o.cancelled, o.rated, o.hopeless
FROM numbered_incidents() AS i
JOIN openings_of(of_agent, of_operation, of_category, of_provider) AS o ON o.opening = i.opening
WHERE i.opened_at >= since AND i.opened_at < until;

-- When incidents opened first and last, by opening, of those that opened before
-- a moment. Only of its day are the incidents themselves read.
CREATE MACRO opened_before(moment) AS TABLE
SELECT opening, min(first_opened) AS first, max(last_opened) AS last
FROM (
    SELECT opening, first_opened, last_opened FROM incidents_daily WHERE day < day_of(moment)
    UNION ALL
    SELECT opening, opened_at, opened_at FROM numbered_incidents() WHERE opened_at >= start_of_day(day_of(moment)) AND opened_at < moment
)
GROUP BY opening;

-- How many incidents opened in [since, until) in each month ("2026-01") of a
-- zone, by opening. What lies within a month whole days tell; only of days that
-- a month or the time asked for ends within are the incidents themselves read.
CREATE MACRO counted_monthly(since, until, zone, of_agent, of_operation, of_category, of_provider) AS TABLE
WITH calendar AS MATERIALIZED (
    SELECT day, strftime(start_of_day(day) AT TIME ZONE zone, '%Y-%m') AS month,
        start_of_day(day) >= since AND start_of_day(day + 1) <= until
            AND month = strftime((start_of_day(day + 1) - INTERVAL 1 MICROSECOND) AT TIME ZONE zone, '%Y-%m') AS whole
    FROM (SELECT DISTINCT day FROM incidents_daily WHERE start_of_day(day + 1) > since AND start_of_day(day) < until)
), quarters AS (
    SELECT quarter_of(opened_at) AS quarter, opening,
        count(*) AS incidents, count(*) FILTER (resolved) AS resolved, count(*) FILTER (resolution = 'open') AS open,
        sum(retries) AS retries, count(retries) AS with_attempts, sum(retries) FILTER (lost) AS retries_lost
    FROM incidents_in(since, until, of_agent, of_operation, of_category, of_provider)
    WHERE day_of(opened_at) IN (SELECT day FROM calendar WHERE NOT whole)
    GROUP BY ALL
)
SELECT c.month, d.opening, d.incidents, d.resolved, d.open, d.retries, d.with_attempts, d.retries_lost
FROM incidents_daily AS d
JOIN calendar AS c ON c.day = d.day AND c.whole
SEMI JOIN openings_of(of_agent, of_operation, of_category, of_provider) AS o ON o.opening = d.opening
UNION ALL
SELECT strftime(start_of_quarter(quarter) AT TIME ZONE zone, '%Y-%m'), opening, incidents, resolved, open, retries, with_attempts, retries_lost
FROM quarters;

-- Incidents of each month (UTC) by agent, operation, code and tags: those that
-- are stored, and those whose events have expired. The resolved are those of
-- the rated. The sums behind the mean let rows be added up.
CREATE OR REPLACE VIEW v_monthly AS
WITH months AS (
    SELECT date_trunc('month', make_timestamp(day * 86_400_000_000))::DATE AS month, opening,
        sum(incidents) AS incidents, sum(resolved) AS resolved, sum(open) AS open, sum(retries) AS retries, sum(with_attempts) AS with_attempts
    FROM incidents_daily
    GROUP BY ALL
), counted AS (
    SELECT
        month, agent, operation, code, taxonomy, category, incidents,
        if(rated, resolved, 0) AS resolved,
        if(cancelled, 0, open) AS open,
        if(cancelled, incidents, 0) AS cancelled,
        coalesce(retries, 0) AS retries, with_attempts,
        if(rated, incidents, 0) AS rated
    FROM months JOIN openings_of('', '', '', '') USING (opening)
    UNION ALL BY NAME
    SELECT * REPLACE (coalesce(rated, incidents - cancelled) AS rated) FROM monthly
)
SELECT
    month, agent, operation, code, taxonomy, category,
    sum(incidents)::BIGINT AS incidents,
    sum(resolved)::BIGINT AS resolved,
    sum(open)::BIGINT AS open,
    sum(cancelled)::BIGINT AS cancelled,
    sum(resolved) / nullif(sum(rated), 0) AS resolution_rate,
    sum(retries) / nullif(sum(with_attempts), 0) AS retries_mean,
    sum(rated)::BIGINT AS rated,
    sum(retries)::BIGINT AS retries,
    sum(with_attempts)::BIGINT AS with_attempts
FROM counted
GROUP BY month, agent, operation, code, taxonomy, category;
