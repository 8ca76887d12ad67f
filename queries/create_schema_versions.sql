-- The table of applied migrations; the only one that no migration makes.
CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER NOT NULL);
