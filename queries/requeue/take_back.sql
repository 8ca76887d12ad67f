-- Removes the quarantined input in the staged table, and tells of each the page
-- of the books that counts it.
DELETE FROM quarantine WHERE id IN (SELECT id FROM incoming)
RETURNING hour, source;
