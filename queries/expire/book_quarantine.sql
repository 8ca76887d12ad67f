-- Moves the bad input that arrived before $cutoff from quarantined to expired.
UPDATE books SET quarantined = quarantined - gone.n, expired = expired + gone.n
FROM (SELECT hour, source, count(*)::UBIGINT AS n FROM quarantine WHERE arrived < $cutoff GROUP BY hour, source) AS gone
WHERE books.hour = gone.hour AND books.source = gone.source;
