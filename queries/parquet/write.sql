-- Writes what stands in exported to the file target.
COPY exported TO 'target' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 15, PARQUET_VERSION v2);
