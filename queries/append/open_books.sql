-- Opens those pages of the books that are not there; the lists are those of add_books.sql.
INSERT INTO books BY NAME
FROM (
    SELECT unnest($hours::TIMESTAMPTZ[]) AS hour, unnest($sources::VARCHAR[]) AS source,
        unnest($published::UBIGINT[]) AS published, unnest($stored::UBIGINT[]) AS stored,
        unnest($deduplicated::UBIGINT[]) AS deduplicated, unnest($quarantined::UBIGINT[]) AS quarantined,
        unnest($expired::UBIGINT[]) AS expired
) AS page
WHERE NOT EXISTS (FROM books WHERE books.hour = page.hour AND books.source = page.source);
