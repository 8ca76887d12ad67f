-- Marks the bad input that is in quarantine already.
UPDATE incoming_bad SET again = true
WHERE NOT again AND id IN (SELECT q.id FROM quarantine AS q SEMI JOIN incoming_bad AS i ON i.id = q.id);
