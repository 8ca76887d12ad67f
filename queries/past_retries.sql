-- Incidents that opened in [$from, $to) and made a retry, by cell, source and how
-- many they made, and how many of them the last one resolved; in that order. What
-- ends an incident and after how many retries is told as for attempts: of a success
-- that does not tell its attempt it is the one after the last that failed.
WITH counted AS (
    SELECT opening,
        CASE WHEN NOT by_retry OR NOT by_success THEN attempts - 1
            WHEN closing_attempt IS NOT NULL THEN closing_attempt - 1
            ELSE coalesce(failed_attempts, 0) END AS retries,
        count(*) AS incidents, count(*) FILTER (by_retry) AS won
    FROM (
        SELECT opening, attempts, closing_attempt, failed_attempts,
            resolution IN ('retried', 'compressed') AS by_retry, coalesce(closed_by = 'success', false) AS by_success
        FROM incidents
        WHERE opened_at >= $from AND opened_at < $to AND opening IS NOT NULL AND attempts IS NOT NULL
    )
    GROUP BY ALL
)
SELECT agent, coalesce(operation, '') AS operation, coalesce(category::VARCHAR, '') AS category, source, retries,
    sum(incidents)::BIGINT AS incidents, sum(won)::BIGINT AS won
FROM counted JOIN openings USING (opening)
WHERE retries BETWEEN 1 AND $most AND category IS DISTINCT FROM 'cancelled'
GROUP BY ALL
ORDER BY agent, operation, category, source, retries;
