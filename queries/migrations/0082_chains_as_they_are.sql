-- The chains of days stand as they are: packed by DuckDB (ZSTD, as it does with
-- long values) they were three quarters as long, and unpacking them took longer
-- than the tuner takes to read them. They are put together anew when it is asked.
DROP TABLE chains;
CREATE TABLE chains (
    day BIGINT NOT NULL, -- since 1970, UTC
    form BIGINT NOT NULL, -- of chains, as package analyze numbers it
    chains BLOB USING COMPRESSION uncompressed NOT NULL -- some of those of the day; empty: there are none
);
