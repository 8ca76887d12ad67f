-- Adds to the books of one hour and source.
INSERT INTO books VALUES ($hour, $source, $published, $stored, $deduplicated, $quarantined, $expired)
ON CONFLICT (hour, source) DO UPDATE SET
    published = published + excluded.published,
    stored = stored + excluded.stored,
    deduplicated = deduplicated + excluded.deduplicated,
    quarantined = quarantined + excluded.quarantined,
    expired = expired + excluded.expired;
