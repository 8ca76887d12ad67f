-- Books the batch under the hour of each event and its source. Messages that
-- the stream had lost ($lost, noticed $at) belong to no source.
INSERT INTO books
SELECT hour, source, sum(published), sum(stored), sum(deduplicated), sum(quarantined), sum(expired)
FROM (
    SELECT date_trunc('hour', time) AS hour, source, count(*) AS published,
        count(*) FILTER (NOT again) AS stored, count(*) FILTER (again) AS deduplicated, 0 AS quarantined, 0 AS expired
    FROM incoming GROUP BY ALL
    UNION ALL
    SELECT hour, source, count(*), 0, count(*) FILTER (again), count(*) FILTER (NOT again), 0
    FROM incoming_bad GROUP BY ALL
    UNION ALL
    SELECT date_trunc('hour', $at::TIMESTAMPTZ), '', $lost::BIGINT, 0, 0, 0, $lost::BIGINT WHERE $lost::BIGINT > 0
)
GROUP BY hour, source
ON CONFLICT (hour, source) DO UPDATE SET
    published = published + excluded.published,
    stored = stored + excluded.stored,
    deduplicated = deduplicated + excluded.deduplicated,
    quarantined = quarantined + excluded.quarantined,
    expired = expired + excluded.expired;
