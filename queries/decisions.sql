-- What was decided of suggestions, by time.
SELECT id, made, decision, who, reason, body FROM decisions ORDER BY made, id;
