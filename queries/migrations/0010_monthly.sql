-- What is left of incidents whose events have expired: their counts by month
-- (UTC). A sum and a count instead of a mean, so that rows can be added up.
CREATE TABLE monthly (
    month DATE NOT NULL,
    agent VARCHAR NOT NULL,
    operation VARCHAR,
    code VARCHAR,
    taxonomy taxonomy,
    category category,
    incidents BIGINT NOT NULL,
    resolved BIGINT NOT NULL,
    open BIGINT NOT NULL,
    cancelled BIGINT NOT NULL,
    retries BIGINT NOT NULL, -- of the incidents that carry an attempt
    with_attempts BIGINT NOT NULL -- how many those are
);

-- Incidents of each month (UTC) by agent, operation, code and tags: those that
-- are stored, and those whose events have expired.
CREATE OR REPLACE VIEW v_monthly AS
WITH counted AS (
    SELECT
        month, agent, operation, code, taxonomy, category,
        count(*) AS incidents,
        count(*) FILTER (resolved AND NOT cancelled) AS resolved,
        count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
        count(*) FILTER (cancelled) AS cancelled,
        coalesce(sum(retries), 0)::BIGINT AS retries,
        count(retries) AS with_attempts
    FROM v_incidents
    GROUP BY month, agent, operation, code, taxonomy, category
    UNION ALL BY NAME
    SELECT * FROM monthly
)
SELECT
    month, agent, operation, code, taxonomy, category,
    sum(incidents)::BIGINT AS incidents,
    sum(resolved)::BIGINT AS resolved,
    sum(open)::BIGINT AS open,
    sum(cancelled)::BIGINT AS cancelled,
    sum(resolved) / nullif(sum(incidents) - sum(cancelled), 0) AS resolution_rate,
    sum(retries) / nullif(sum(with_attempts), 0) AS retries_mean
FROM counted
GROUP BY month, agent, operation, code, taxonomy, category;
