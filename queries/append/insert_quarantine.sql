-- Keeps the bad input of the staged table, where an empty text is absent and
-- whose stream begins behind position $base.
INSERT INTO quarantine BY NAME
SELECT
    * EXCLUDE (sequence)
    REPLACE (coalesce(source, '') AS source, coalesce(subject, '') AS subject, coalesce(place, '') AS place, coalesce(raw, '') AS raw),
    ($base::UBIGINT + sequence::UBIGINT) AS position
FROM incoming;
