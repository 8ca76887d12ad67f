-- Notes that migration $version was applied.
INSERT INTO schema_versions VALUES ($version);
