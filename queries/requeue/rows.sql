-- Bad input that is to be read again, oldest first: that of the ids in $ids, a
-- JSON list, or with $all everything.
SELECT id, source, place, raw, hour, position
FROM quarantine
WHERE $all OR id IN (SELECT unnest(from_json($ids, '["VARCHAR"]')))
ORDER BY position, place, id;
