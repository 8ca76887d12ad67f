-- How long the resolved incidents that opened in [$from, $to) took from the
-- first failure to the outcome that resolved them, all first (an empty
-- category), then by category, most frequent first. An incident of one record
-- that tells its end too has no time. Only incidents that the rates count are
-- asked.
WITH rated AS (
    SELECT category, resolved, if(resolved AND events > 1, greatest(epoch_ms(closed_at) - epoch_ms(opened_at), 0), NULL) AS ms
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE rated
)
SELECT
    coalesce(category::VARCHAR, '') AS category,
    count(*) AS incidents,
    count(*) FILTER (resolved) AS resolved,
    count(ms) AS timed,
    quantile_disc(ms, 0.5) AS p50_ms,
    quantile_disc(ms, 0.9) AS p90_ms
FROM rated
GROUP BY GROUPING SETS ((), (category))
HAVING grouping(category) = 1 OR category IS NOT NULL
ORDER BY grouping(category) DESC, incidents DESC, category;
