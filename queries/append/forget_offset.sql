-- Renames the offset of the stream ($stream, $created), as of $now.
UPDATE offsets SET stream = stream || ' until ' || $now::TIMESTAMPTZ::VARCHAR
WHERE stream = $stream AND created = $created;
