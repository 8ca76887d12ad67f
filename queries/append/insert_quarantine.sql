-- Keeps the bad input of the staged table, where an empty text is absent.
INSERT INTO quarantine BY NAME
SELECT * REPLACE (coalesce(source, '') AS source, coalesce(subject, '') AS subject, coalesce(place, '') AS place, coalesce(raw, '') AS raw)
FROM incoming;
