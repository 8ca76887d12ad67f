-- Keeps what was decided of a suggestion.
INSERT INTO decisions (id, made, decision, who, reason, body) VALUES ($id, $made, $decision, $who, $reason, $body);
