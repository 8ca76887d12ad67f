-- Hours in which a category burst out across agents of one provider, of the
-- incidents that opened in [$from, $to), by provider, category and hour: hours
-- of at least $agents agents and of more incidents than usual, which is the
-- 90 % point of the hours that had any (the middle one of fewer than ten).
WITH counted AS (
    SELECT opening, stretch_of(opened_at, 3_600_000_000) AS hour, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE NOT cancelled
    GROUP BY ALL
), hours AS (
    SELECT provider, category, hour,
        sum(incidents)::BIGINT AS incidents, count(DISTINCT agent) AS agents, count(DISTINCT operation) AS operations
    FROM counted JOIN openings USING (opening)
    WHERE provider IS NOT NULL AND category IS NOT NULL
    GROUP BY ALL
), usual AS (
    SELECT provider, category, list_sort(list(incidents)) AS counts FROM hours GROUP BY ALL
)
SELECT provider, category::VARCHAR AS category, make_timestamptz(hour * 3_600_000_000) AS hour, incidents, agents, operations,
    counts[1 + if(len(counts) < 10, len(counts) // 2, len(counts) * 9 // 10)] AS usual
FROM hours
JOIN usual USING (provider, category)
WHERE agents >= $agents AND incidents > counts[1 + if(len(counts) < 10, len(counts) // 2, len(counts) * 9 // 10)]
ORDER BY provider, category, hour;
