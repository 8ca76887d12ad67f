-- Takes out the incidents that are made anew, but notes where their events begin
-- and when they opened, now and before (NULL: they were not there).
CREATE OR REPLACE TEMP TABLE touched AS
SELECT t.agent, t.incident, least(t.first_position, i.first_position) AS first_position,
    least(t.opened_at, i.opened_at) AS opened_at, i.opened_at AS opened_before, i.rowid AS kept_at
FROM touched AS t
LEFT JOIN incidents AS i ON i.agent = t.agent AND i.incident = t.incident;
DELETE FROM incidents WHERE rowid IN (SELECT kept_at FROM touched WHERE kept_at IS NOT NULL);
