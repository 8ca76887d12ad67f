-- Retries that did not help, of the incidents that opened in [$from, $to), by
-- category and operation, most first: the same call could not pass, it was made
-- again, and no retry resolved it. What no rule matched is left out: nobody
-- knows. waited_ms and tokens are of the whole incidents. tried counts those of
-- the same category and operation whose retries did help, too.
WITH counted AS (
    SELECT opening, sum(retries) FILTER (lost) AS retries, count(*) FILTER (lost) AS incidents, count(*) AS tried,
        sum(wait_ms) FILTER (lost) AS wait_ms, sum(tokens) FILTER (lost) AS tokens
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE hopeless AND retries > 0
    GROUP BY opening
)
SELECT category::VARCHAR AS category, coalesce(operation, '') AS operation,
    if(sum(retries) > 9007199254740991, 9007199254740991, sum(retries))::BIGINT AS retries,
    sum(incidents)::BIGINT AS incidents, sum(tried)::BIGINT AS tried,
    if(sum(wait_ms) > 9007199254740991, 9007199254740991, sum(wait_ms))::BIGINT AS waited_ms,
    if(sum(tokens) > 9007199254740991, 9007199254740991, sum(tokens))::BIGINT AS tokens
FROM counted JOIN openings USING (opening)
GROUP BY ALL
HAVING retries > 0
ORDER BY retries DESC, category, operation;
