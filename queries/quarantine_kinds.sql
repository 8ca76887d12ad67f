-- The kinds of bad input that the books of [$from, $to) count, by source and
-- frequency, of each source the five most frequent, with three examples of each,
-- the latest. Reasons that differ only in numbers and in quoted or bracketed text are one kind.
WITH input AS (
    SELECT *, regexp_replace(reason, '"[^"]*"|''[^'']*''|\([^)]*\)|[0-9][0-9A-Za-z:.+-]*', '…', 'g') AS kind
    FROM quarantine
    WHERE hour >= date_trunc('hour', $from::TIMESTAMPTZ) AND hour < date_trunc('hour', $to::TIMESTAMPTZ)
), placed AS (
    SELECT *, count(*) OVER (PARTITION BY source, kind) AS n,
        row_number() OVER (PARTITION BY source, kind ORDER BY position DESC, place DESC, id) AS example
    FROM input
), ranked AS (
    SELECT *, dense_rank() OVER (PARTITION BY source ORDER BY n DESC, kind) AS rank
    FROM placed
)
SELECT source, kind, n, id, arrived, place, reason, left(raw, 2000) AS raw
FROM ranked
WHERE example <= 3 AND rank <= 5
ORDER BY source, rank, example;
