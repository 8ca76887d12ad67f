-- The incidents whose last event lies before $cutoff, oldest first, in chunks of
-- about $most events. An incident goes as a whole, so that what is left of one
-- is never taken for another. Successes and ends of no incident go the same way.
CREATE OR REPLACE TEMP TABLE expiring AS
SELECT agent, key, ((sum(n) OVER (ORDER BY last, agent, key) - n) // $most::BIGINT)::BIGINT AS chunk
FROM (
    SELECT agent, coalesce(incident, id) AS key, max(time) AS last, count(*) AS n
    FROM events
    GROUP BY agent, key
    HAVING last < $cutoff
);
