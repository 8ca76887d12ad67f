-- Bad input in quarantine, newest first, at most $most; with $id only that one.
SELECT id, arrived, source, subject, place, reason, raw
FROM quarantine
WHERE $id = '' OR id = $id
ORDER BY position DESC, place DESC, id
LIMIT $most;
