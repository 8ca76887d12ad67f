-- Gives the events in the staged table their new tags.
UPDATE events SET taxonomy = r.taxonomy, category = r.category, retryable = r.retryable, rule = r.rule, fingerprint = r.fingerprint
FROM incoming AS r WHERE events.id = r.id;
