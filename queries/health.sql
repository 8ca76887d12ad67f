-- What a store says of its own health. One row. Hours are counted by number:
-- date_trunc asks the calendar of each event, which took ten times as long.
WITH counted AS (
    SELECT hour_of(time) AS hour, source, count(*) AS n FROM events GROUP BY ALL
), compared AS (
    SELECT coalesce(b.stored, 0) <> coalesce(c.n, 0) AS off,
        b.published <> b.stored + b.deduplicated + b.quarantined + b.expired AS unbalanced
    FROM books AS b
    FULL JOIN counted AS c ON c.hour = hour_of(b.hour) AND c.source = b.source
)
SELECT
    (SELECT count(*) FROM events) AS events,
    (SELECT min(time) FROM events) AS earliest,
    (SELECT count(*) FROM compared WHERE off) AS off,
    (SELECT count(*) FROM compared WHERE unbalanced) AS unbalanced,
    (SELECT coalesce(sum(quarantined), 0)::BIGINT FROM books) AS booked_quarantine,
    (SELECT count(*) FROM quarantine) AS quarantine,
    (SELECT count(*) FROM quarantine WHERE arrived > $now::TIMESTAMPTZ + INTERVAL 1 DAY) AS early,
    (SELECT count(*) FROM events WHERE time > $now::TIMESTAMPTZ + INTERVAL 1 DAY) AS ahead;
