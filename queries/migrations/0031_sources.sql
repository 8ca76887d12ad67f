-- What each known source can show, told by the program when it opens the
-- store. The report computes rates over what can be known.
CREATE TABLE sources (
    source VARCHAR NOT NULL,
    attempts BOOLEAN NOT NULL,
    final BOOLEAN NOT NULL,
    recoveries BOOLEAN NOT NULL
);

-- The incidents that opened in [since, until) and pass a filter of the report,
-- of which '' lets everything pass. Rated: the resolution rate counts it, as it
-- was not cancelled and its source can show recoveries. What a source that is
-- not in the list says, such as an agent's own, is believed.
CREATE OR REPLACE MACRO incidents_in(since, until, of_agent, of_operation, of_category, of_provider) AS TABLE
SELECT *, NOT cancelled AND coalesce(source, '') NOT IN (SELECT source FROM sources WHERE NOT recoveries) AS rated
FROM v_incidents
WHERE opened_at >= since AND opened_at < until
    AND of_agent IN ('', agent) AND of_operation IN ('', operation)
    AND of_category IN ('', category::VARCHAR) AND of_provider IN ('', provider);

ALTER TABLE monthly ADD COLUMN rated BIGINT; -- NULL: kept before this was told apart, all but the cancelled

-- Incidents of each month (UTC) by agent, operation, code and tags: those that
-- are stored, and those whose events have expired. The resolved are those of
-- the rated. The sums behind the mean let rows be added up.
CREATE OR REPLACE VIEW v_monthly AS
WITH counted AS (
    SELECT
        month, agent, operation, code, taxonomy, category,
        count(*) AS incidents,
        count(*) FILTER (resolved AND rated) AS resolved,
        count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
        count(*) FILTER (cancelled) AS cancelled,
        coalesce(sum(retries), 0)::BIGINT AS retries,
        count(retries) AS with_attempts,
        count(*) FILTER (rated) AS rated
    FROM incidents_in(TIMESTAMPTZ '-infinity', TIMESTAMPTZ 'infinity', '', '', '', '')
    GROUP BY month, agent, operation, code, taxonomy, category
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
