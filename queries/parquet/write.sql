-- Writes what stands in exported to the file target. The plain encodings of the
-- first Parquet version leave more to zstd than those of the second: a twentieth.
COPY exported TO 'target' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 15, PARQUET_VERSION v1);
