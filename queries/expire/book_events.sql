-- Moves the events of $chunk before $cutoff from stored to expired.
UPDATE books SET stored = stored - gone.n, expired = expired + gone.n
FROM (
    SELECT hour_of(e.time) AS hour, e.source, count(*)::UBIGINT AS n
    FROM events AS e
    JOIN temp.expiring AS x ON x.agent = e.agent AND x.key = coalesce(e.incident, e.id)
    WHERE x.chunk = $chunk AND e.time < $cutoff
    GROUP BY ALL
) AS gone
WHERE hour_of(books.hour) = gone.hour AND books.source = gone.source;
