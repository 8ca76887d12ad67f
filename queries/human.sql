-- What went to a human, of the incidents that opened in [$from, $to), by
-- category and operation, most first: how many of how many, the retries made
-- before, and the median seconds from the first failure to the end.
SELECT coalesce(category::VARCHAR, 'unknown') AS category, coalesce(operation, '') AS operation,
    count(*) FILTER (resolution = 'human') AS human,
    count(*) AS incidents,
    coalesce(sum(retries) FILTER (resolution = 'human'), 0)::BIGINT AS retries,
    quantile_cont(epoch(closed_at) - epoch(opened_at), 0.5) FILTER (resolution = 'human') AS seconds
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE NOT cancelled
GROUP BY ALL
HAVING human > 0
ORDER BY human DESC, category, operation;
