-- Gives what no incident opened with before the next numbers.
INSERT INTO openings
SELECT coalesce((SELECT max(opening) FROM openings), 0) + row_number() OVER (), *
FROM (
    SELECT agent, operation, code, taxonomy, category, retryable, fingerprint, provider, model, source
    FROM events
    SEMI JOIN made ON made.opening_row = events.rowid
    WHERE position >= $low::UBIGINT
    EXCEPT
    SELECT * EXCLUDE (opening) FROM openings
);
