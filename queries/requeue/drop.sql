-- Deletes the quarantined input of the ids in $ids, a JSON list, or with $all
-- everything. The books keep it in quarantined, which is what became of it.
DELETE FROM quarantine WHERE $all OR id IN (SELECT unnest(from_json($ids, '["VARCHAR"]')))
RETURNING id;
