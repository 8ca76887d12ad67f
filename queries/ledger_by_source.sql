-- The books of all time by source, by name.
SELECT source, sum(published)::BIGINT, sum(stored)::BIGINT, sum(deduplicated)::BIGINT, sum(quarantined)::BIGINT, sum(expired)::BIGINT
FROM books
GROUP BY source
ORDER BY source;
