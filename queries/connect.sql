-- Settings of every connection to the store: times are UTC, statements reach no
-- other file and no network, and nobody can loosen that. The log is written into
-- the file at some hundred thousand rows, of which DuckDB keeps each in memory,
-- uncompressed, until then: at 128 MB they were the most that a busy store held;
-- at DuckDB's own 16 MB the last row group is packed again and again. What has
-- become free goes back to the system, also while nothing is asked. The memory
-- limit alone may still be set, as free_memory.sql does.
SET GLOBAL TimeZone = 'UTC';
SET GLOBAL enable_external_access = false;
SET GLOBAL checkpoint_threshold = '32MB';
SET GLOBAL allocator_background_threads = true;
SET GLOBAL allowed_configs = ['memory_limit'];
SET GLOBAL lock_configuration = true;
