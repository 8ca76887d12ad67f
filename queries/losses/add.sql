-- Keeps a loss, which lies between the latest event that is stored and $noticed.
INSERT INTO losses
SELECT $noticed, least($noticed::TIMESTAMPTZ, coalesce((SELECT max(time) FROM events), $noticed::TIMESTAMPTZ)), $kind, $created, $behind,
    CASE WHEN $known THEN $messages::UBIGINT END, $damaged;
