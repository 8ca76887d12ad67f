-- Takes out the incidents that are made anew, but notes where their events begin
-- and when they opened, now and before.
UPDATE touched SET first_position = least(touched.first_position, i.first_position), opened_at = least(touched.opened_at, i.opened_at),
    opened_before = i.opened_at
FROM incidents AS i WHERE i.agent = touched.agent AND i.incident = touched.incident;
DELETE FROM incidents USING touched AS t WHERE incidents.agent = t.agent AND incidents.incident = t.incident;
