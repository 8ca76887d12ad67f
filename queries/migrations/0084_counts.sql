-- The incidents that opened in [since, until) and pass a filter of the report,
-- counted by what they opened with and by day of 24 hours from since, of which
-- the first is 0. Those that are alike in retries and ending too are counted
-- first. An agent may count attempts by a clock: sums of retries are HUGEINT.
-- retries is NULL where no incident carries an attempt.
CREATE MACRO counted_by_opening(since, until, of_agent, of_operation, of_category, of_provider) AS TABLE
WITH alike AS (
    SELECT opening, (epoch_us(opened_at) - epoch_us(since::TIMESTAMPTZ)) // 86_400_000_000 AS day, retries, resolution,
        count(*) AS incidents, sum(events) AS events
    FROM incidents_in(since, until, of_agent, of_operation, of_category, of_provider)
    GROUP BY ALL
)
SELECT opening, day,
    sum(events) AS events,
    sum(incidents) AS incidents,
    sum(incidents) FILTER (resolves(resolution)) AS resolved,
    sum(incidents) FILTER (resolution = 'open') AS open,
    sum(incidents) FILTER (resolution = 'human') AS human,
    coalesce(sum(incidents) FILTER (retries IS NOT NULL), 0) AS with_attempts,
    sum(incidents * retries::HUGEINT) AS retries,
    sum(incidents * retries::HUGEINT * retries) AS retries_squares,
    sum(incidents * retries::HUGEINT) FILTER (no_retry_resolves(resolution)) AS retries_lost
FROM alike
GROUP BY opening, day;
