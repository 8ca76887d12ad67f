-- What the store knows of the stream $stream: whether that of birth $created has
-- begun in it, whether another one has that was not forgotten, how far the
-- latest of those is stored, and its birth; whether any has. One row.
SELECT
    coalesce(bool_or(stream = $stream AND created = $created), false) AS known,
    coalesce(bool_or(stream = $stream AND created <> $created), false) AS other,
    coalesce(arg_max(sequence, created) FILTER (stream = $stream AND created <> $created), 0)::UBIGINT AS other_sequence,
    coalesce(max(created) FILTER (stream = $stream AND created <> $created), $created) AS other_created,
    count(*) > 0 AS any_known
FROM offsets
WHERE starts_with(stream, $stream);
