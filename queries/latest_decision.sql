-- What was last decided of the suggestion $id; no row: nothing yet.
SELECT id, made, decision, who, reason, body FROM decisions WHERE id = $id ORDER BY made DESC LIMIT 1;
