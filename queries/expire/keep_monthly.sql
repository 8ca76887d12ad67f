-- Keeps the counts of the incidents of $chunk, which are about to be deleted.
INSERT INTO monthly BY NAME
SELECT
    i.month, i.agent, i.operation, i.code, i.taxonomy, i.category,
    count(*) AS incidents,
    count(*) FILTER (i.resolved AND i.rated) AS resolved,
    count(*) FILTER (i.resolution = 'open' AND NOT i.cancelled) AS open,
    count(*) FILTER (i.cancelled) AS cancelled,
    least(coalesce(sum(i.retries), 0), 9007199254740991)::BIGINT AS retries,
    count(i.retries) AS with_attempts,
    count(*) FILTER (i.rated) AS rated
FROM incidents_in(TIMESTAMPTZ '-infinity', TIMESTAMPTZ 'infinity', '', '', '', '') AS i
JOIN temp.expiring AS x ON x.agent = i.agent AND x.key = i.incident
WHERE x.chunk = $chunk
GROUP BY ALL;
