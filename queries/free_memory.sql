-- Gives the memory that DuckDB has freed back to the system: it does so whenever
-- its limit is set, here to $limit, which it is already.
SET GLOBAL memory_limit = $limit;
