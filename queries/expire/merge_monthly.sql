-- Adds up the rows of monthly that different runs have kept of the same month
-- and group.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT month, agent, operation, code, taxonomy, category,
    sum(incidents)::BIGINT AS incidents, sum(resolved)::BIGINT AS resolved, sum(open)::BIGINT AS open,
    sum(cancelled)::BIGINT AS cancelled, least(sum(retries), 9007199254740991)::BIGINT AS retries, sum(with_attempts)::BIGINT AS with_attempts,
    sum(coalesce(rated, incidents - cancelled))::BIGINT AS rated
FROM monthly
GROUP BY month, agent, operation, code, taxonomy, category;
DELETE FROM monthly;
INSERT INTO monthly BY NAME SELECT * FROM temp.merged;
DROP TABLE temp.merged;
