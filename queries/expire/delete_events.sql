-- Deletes the events of $chunk before $cutoff.
DELETE FROM events USING temp.expiring AS x
WHERE x.chunk = $chunk AND x.agent = events.agent AND x.key = coalesce(events.incident, events.id) AND events.time < $cutoff;
