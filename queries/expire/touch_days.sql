-- Notes the days on which the incidents of $chunk opened, which are about to be
-- deleted.
CREATE OR REPLACE TEMP TABLE touched_days AS
SELECT DISTINCT day_of(i.opened_at) AS day
FROM incidents AS i
JOIN temp.expiring AS x ON x.agent = i.agent AND x.key = i.incident
WHERE x.chunk = $chunk;
