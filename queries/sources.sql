-- What came from each source: how many events, when the latest happened, and
-- the versions of the program that the events name; by source.
SELECT
    source,
    count(*) AS events,
    max(time) AS latest,
    coalesce(string_agg(DISTINCT attrs ->> 'version', ', ' ORDER BY attrs ->> 'version'), '') AS versions
FROM events
GROUP BY source
ORDER BY source;
