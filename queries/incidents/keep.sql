-- Keeps the incidents that were made, with the number of what they opened with;
-- what none had opened with before gets the next. A month then lies together in
-- the file.
INSERT INTO openings
SELECT coalesce((SELECT max(opening) FROM openings), 0) + row_number() OVER (), *
FROM (
    SELECT agent, operation, code, taxonomy, category, retryable, fingerprint, provider, model, source FROM made WHERE failures > 0
    EXCEPT
    SELECT * EXCLUDE (opening) FROM openings
);
INSERT INTO incidents BY NAME
SELECT m.*, o.opening
FROM made AS m
LEFT JOIN openings AS o ON m.failures > 0 AND o.agent = m.agent
    AND o.operation IS NOT DISTINCT FROM m.operation AND o.code IS NOT DISTINCT FROM m.code
    AND o.taxonomy IS NOT DISTINCT FROM m.taxonomy AND o.category IS NOT DISTINCT FROM m.category
    AND o.retryable IS NOT DISTINCT FROM m.retryable AND o.fingerprint IS NOT DISTINCT FROM m.fingerprint
    AND o.provider IS NOT DISTINCT FROM m.provider AND o.model IS NOT DISTINCT FROM m.model
    AND o.source IS NOT DISTINCT FROM m.source
ORDER BY m.opened_at, m.agent, m.incident;
