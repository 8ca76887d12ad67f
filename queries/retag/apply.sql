-- Gives the events in the temporary table their new tags.
UPDATE events SET taxonomy = r.taxonomy, category = r.category, retryable = r.retryable, rule = r.rule, fingerprint = r.fingerprint
FROM retagged AS r WHERE events.id = r.id;
