-- The streams of the name $stream that have begun in the store, with their births
-- and how far each is stored, in the order of these; some were forgotten.
SELECT stream <> $stream AS forgotten, created, sequence
FROM offsets
WHERE starts_with(stream, $stream)
ORDER BY created, sequence;
