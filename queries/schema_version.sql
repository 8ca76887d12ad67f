-- The version of the store's schema, 0 for an empty file. One row.
SELECT coalesce(max(version), 0)::INTEGER FROM schema_versions;
