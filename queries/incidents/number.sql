-- Gives what no incident opened with before the next numbers.
INSERT INTO openings
SELECT coalesce((SELECT max(opening) FROM openings), 0) + row_number() OVER (), *
FROM (
    SELECT DISTINCT e.agent, e.operation, e.code, e.taxonomy, e.category, e.retryable, e.fingerprint, e.provider, e.model, e.source
    FROM events AS e
    SEMI JOIN made AS m ON m.opening_row = e.rowid
    ANTI JOIN openings AS o ON o.agent = e.agent
        AND o.operation IS NOT DISTINCT FROM e.operation AND o.code IS NOT DISTINCT FROM e.code
        AND o.taxonomy IS NOT DISTINCT FROM e.taxonomy AND o.category IS NOT DISTINCT FROM e.category
        AND o.retryable IS NOT DISTINCT FROM e.retryable AND o.fingerprint IS NOT DISTINCT FROM e.fingerprint
        AND o.provider IS NOT DISTINCT FROM e.provider AND o.model IS NOT DISTINCT FROM e.model
        AND o.source IS NOT DISTINCT FROM e.source
    WHERE e.position >= $low
);
