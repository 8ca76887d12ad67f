-- What came from each source: how many events, when the latest happened, the
-- versions of the program that the events name, and which of the fields that
-- reports and the tuner work with none of its failures carries; by source.
SELECT
    source,
    count(*) AS events,
    max(time) AS latest,
    coalesce(string_agg(DISTINCT attrs ->> 'version', ', ' ORDER BY attrs ->> 'version'), '') AS versions,
    concat_ws(', ',
        CASE WHEN count(session) FILTER (kind = 'failure') = 0 THEN 'session' END,
        CASE WHEN count(operation) FILTER (kind = 'failure') = 0 THEN 'operation' END,
        CASE WHEN count(incident) FILTER (kind = 'failure') = 0 THEN 'incident' END,
        CASE WHEN count(attempt) FILTER (kind = 'failure') = 0 THEN 'attempt' END,
        CASE WHEN count(code) FILTER (kind = 'failure') = 0 THEN 'code' END,
        CASE WHEN count(message) FILTER (kind = 'failure') = 0 THEN 'message' END,
        CASE WHEN count(model) FILTER (kind = 'failure') = 0 THEN 'model' END
    ) AS absent
FROM events
GROUP BY source
ORDER BY source;
