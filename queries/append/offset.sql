-- How far the stream ($stream, $created) is stored. One row; for a stream that
-- is new to the store its base is the store's last position.
SELECT
    coalesce(max(base) FILTER (stream = $stream AND created = $created), max(base + sequence), 0)::UBIGINT AS base,
    coalesce(max(sequence) FILTER (stream = $stream AND created = $created), 0)::UBIGINT AS sequence
FROM offsets;
