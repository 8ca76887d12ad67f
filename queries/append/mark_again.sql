-- Marks the events whose id is stored already.
UPDATE incoming SET again = true
WHERE NOT again AND id IN (SELECT e.id FROM events AS e SEMI JOIN incoming AS i ON i.id = e.id);
