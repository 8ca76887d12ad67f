-- The books of [$from, $to) by source, most published first, each with the rows
-- that are really there; after each (as a day of $timezone) those of its days on
-- which not everything that was published was simply stored, the latest 31.
WITH booked AS (
    SELECT source, strftime(hour AT TIME ZONE $timezone, '%Y-%m-%d') AS day, published, stored, deduplicated, quarantined, expired
    FROM books
    WHERE hour >= date_trunc('hour', $from::TIMESTAMPTZ) AND hour < date_trunc('hour', $to::TIMESTAMPTZ)
), counted AS (
    SELECT source, coalesce(day, '') AS day,
        sum(published)::BIGINT AS published, sum(stored)::BIGINT AS stored, sum(deduplicated)::BIGINT AS deduplicated,
        sum(quarantined)::BIGINT AS quarantined, sum(expired)::BIGINT AS expired
    FROM booked
    GROUP BY GROUPING SETS ((source), (source, day))
    HAVING grouping(day) = 1 OR sum(published) <> sum(stored)
), found AS (
    SELECT source, '' AS day, count(*) AS rows
    FROM events
    WHERE time >= date_trunc('hour', $from::TIMESTAMPTZ) AND time < date_trunc('hour', $to::TIMESTAMPTZ)
    GROUP BY source
)
SELECT source, day, coalesce(published, 0), coalesce(stored, 0), coalesce(deduplicated, 0), coalesce(quarantined, 0), coalesce(expired, 0), coalesce(rows, 0)
FROM counted FULL JOIN found USING (source, day)
QUALIFY row_number() OVER (PARTITION BY source ORDER BY day <> '', day DESC) <= 32
ORDER BY max(coalesce(published, 0)) FILTER (day = '') OVER (PARTITION BY source) DESC, source, day;
