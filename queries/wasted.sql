-- Retries that could not help, of the incidents that opened in [$from, $to), by
-- category and operation, most first: the same call could not pass, it was made
-- again, and no retry resolved it. What no rule matched is left out: nobody
-- knows. waited_ms and tokens are of the whole incidents.
WITH counted AS (
    SELECT opening, sum(retries) AS retries, count(*) AS incidents, sum(wait_ms) AS wait_ms, sum(tokens) AS tokens
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE hopeless AND retries > 0 AND lost
    GROUP BY opening
)
SELECT category::VARCHAR AS category, coalesce(operation, '') AS operation,
    sum(retries)::BIGINT AS retries, sum(incidents)::BIGINT AS incidents,
    sum(wait_ms)::BIGINT AS waited_ms, sum(tokens)::BIGINT AS tokens
FROM counted JOIN openings USING (opening)
GROUP BY ALL
ORDER BY retries DESC, category, operation;
