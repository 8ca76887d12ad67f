-- Keeps a loss, which lies between $since, or else the latest event that is stored,
-- and $noticed; but for a gap that is kept: a stream that is read again has it still.
INSERT INTO losses
SELECT $noticed, coalesce($since::TIMESTAMPTZ, least($noticed::TIMESTAMPTZ, coalesce((SELECT max(time) FROM events), $noticed::TIMESTAMPTZ))),
    $kind, $created, $behind, CASE WHEN $known THEN $messages::UBIGINT END, $damaged
WHERE NOT ($kind = 'gap' AND EXISTS (FROM losses WHERE kind = 'gap' AND created = $created AND behind = $behind AND messages = $messages));
