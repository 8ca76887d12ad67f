-- What the store kept of the positions in $ranges, a JSON list of objects with
-- first and last, both inclusive and relative to $base. One row.
WITH spans AS (
    SELECT unnest(from_json($ranges, '[{"first": "UBIGINT", "last": "UBIGINT"}]')) AS span
), bounds AS (
    SELECT min(span.first) + $base::UBIGINT AS low, max(span.last) + $base::UBIGINT AS high FROM spans
), wanted AS (
    SELECT span.first + $base::UBIGINT AS first, span.last + $base::UBIGINT AS last FROM spans
)
SELECT
    (SELECT count(*) FROM events AS e JOIN wanted AS w ON e.position >= w.first AND e.position <= w.last
        WHERE e.position BETWEEN (SELECT low FROM bounds) AND (SELECT high FROM bounds)) AS stored,
    (SELECT count(*) FROM quarantine AS q JOIN wanted AS w ON q.position >= w.first AND q.position <= w.last
        WHERE q.position BETWEEN (SELECT low FROM bounds) AND (SELECT high FROM bounds)) AS quarantined;
