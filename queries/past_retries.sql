-- Incidents that opened in [$from, $to) and made a retry, by cell, source and how
-- many they made, and how many of them the last one resolved; in that order. What
-- ends an incident and after how many retries is told as for attempts: of a success
-- that does not tell its attempt it is the one after the last that failed.
-- Of most incidents the first two conditions decide, which are the cheap ones.
WITH alike AS (
    SELECT opening, resolution,
        CASE WHEN attempts = closing_attempt THEN attempts - 1
            WHEN closed_by IS NULL THEN attempts - 1
            WHEN closed_by = 'success' AND resolution IN ('retried', 'compressed') THEN coalesce(closing_attempt - 1, failed_attempts, 0)
            ELSE attempts - 1 END AS retries,
        count(*) AS incidents
    FROM incidents
    WHERE opened_at >= $from AND opened_at < $to AND opening IS NOT NULL AND attempts IS NOT NULL
    GROUP BY ALL
)
SELECT agent, coalesce(operation, '') AS operation, coalesce(category::VARCHAR, '') AS category, source, retries,
    sum(incidents)::BIGINT AS incidents, coalesce(sum(incidents) FILTER (resolution IN ('retried', 'compressed')), 0)::BIGINT AS won
FROM alike JOIN openings USING (opening)
WHERE retries BETWEEN 1 AND $most AND category IS DISTINCT FROM 'cancelled'
GROUP BY ALL
ORDER BY agent, operation, category, source, retries;
