-- Adds to those pages of the books that are there. Each list has an entry for
-- a page: an hour and a source, of which there is one.
UPDATE books SET
    published = books.published + page.published,
    stored = books.stored + page.stored,
    deduplicated = books.deduplicated + page.deduplicated,
    quarantined = books.quarantined + page.quarantined,
    expired = books.expired + page.expired
FROM (
    SELECT unnest($hours::TIMESTAMPTZ[]) AS hour, unnest($sources::VARCHAR[]) AS source,
        unnest($published::UBIGINT[]) AS published, unnest($stored::UBIGINT[]) AS stored,
        unnest($deduplicated::UBIGINT[]) AS deduplicated, unnest($quarantined::UBIGINT[]) AS quarantined,
        unnest($expired::UBIGINT[]) AS expired
) AS page
WHERE books.hour = page.hour AND books.source = page.source;
