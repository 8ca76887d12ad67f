-- The books of all time by source, with the hour of its latest stored event, by
-- name. Of the sources whose hour is within the day before the latest of all,
-- also when their last event happened and the versions that their events name.
WITH booked AS (
    SELECT source, sum(published)::BIGINT AS published, sum(stored)::BIGINT AS stored, sum(deduplicated)::BIGINT AS deduplicated,
        sum(quarantined)::BIGINT AS quarantined, sum(expired)::BIGINT AS expired,
        max(hour) FILTER (stored > 0) AS last_hour
    FROM books
    GROUP BY source
), recent AS (
    SELECT source, max(time) AS latest,
        string_agg(DISTINCT attrs ->> 'version', ', ' ORDER BY attrs ->> 'version') AS versions
    FROM events
    WHERE time >= $since
    GROUP BY source
)
SELECT b.source, published, stored, deduplicated, quarantined, expired, last_hour, r.latest, coalesce(r.versions, '') AS versions
FROM booked AS b LEFT JOIN recent AS r USING (source)
ORDER BY b.source;
