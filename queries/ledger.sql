-- The books of [$from, $to), the rows that are really there to hold them against,
-- and the bad input that is: what was dropped stays booked. One row.
SELECT
    coalesce(sum(published), 0)::BIGINT AS published,
    coalesce(sum(stored), 0)::BIGINT AS stored,
    coalesce(sum(deduplicated), 0)::BIGINT AS deduplicated,
    coalesce(sum(quarantined), 0)::BIGINT AS quarantined,
    coalesce(sum(expired), 0)::BIGINT AS expired,
    coalesce(sum(expired) FILTER (source = ''), 0)::BIGINT AS lost,
    (SELECT count(*) FROM events WHERE time >= date_trunc('hour', $from::TIMESTAMPTZ) AND time < date_trunc('hour', $to::TIMESTAMPTZ)) AS rows,
    (SELECT count(*) FROM quarantine WHERE hour >= date_trunc('hour', $from::TIMESTAMPTZ) AND hour < date_trunc('hour', $to::TIMESTAMPTZ)) AS aside
FROM books
WHERE hour >= date_trunc('hour', $from::TIMESTAMPTZ) AND hour < date_trunc('hour', $to::TIMESTAMPTZ);
