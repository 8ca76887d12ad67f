-- How far the stream ($stream, $created) is stored. One row. Its base is such that
-- its next message comes behind the store's last position, whichever stream that
-- is of: positions rise also where a store goes back to a stream it had before.
SELECT
    (coalesce(max(base + sequence), 0) - coalesce(max(sequence) FILTER (stream = $stream AND created = $created), 0))::UBIGINT AS base,
    coalesce(max(sequence) FILTER (stream = $stream AND created = $created), 0)::UBIGINT AS sequence
FROM offsets;
