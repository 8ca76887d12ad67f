-- Deletes the incidents of $chunk, whose events are deleted.
DELETE FROM incidents USING temp.expiring AS x
WHERE x.chunk = $chunk AND x.agent = incidents.agent AND x.key = incidents.incident;
