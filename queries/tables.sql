-- The tables of the store, by name.
SELECT table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY table_name;
