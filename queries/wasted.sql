-- Retries that could not help, of the incidents that opened in [$from, $to), by
-- category and operation, most first: the same call could not pass, it was made
-- again, and no retry resolved it. What no rule matched is left out: nobody
-- knows. waited_ms and tokens are of the whole incidents.
SELECT category::VARCHAR AS category, coalesce(operation, '') AS operation,
    sum(retries)::BIGINT AS retries, count(*) AS incidents,
    sum(wait_ms)::BIGINT AS waited_ms, sum(tokens)::BIGINT AS tokens
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE NOT retryable AND NOT cancelled AND category <> 'unknown'
    AND retries > 0 AND resolution NOT IN ('retried', 'compressed')
GROUP BY ALL
ORDER BY retries DESC, category, operation;
