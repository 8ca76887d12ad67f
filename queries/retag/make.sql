-- The temporary table of new tags on the writer's connection.
CREATE OR REPLACE TEMP TABLE retagged (
    id VARCHAR, taxonomy taxonomy, category category, retryable BOOLEAN, rule VARCHAR, fingerprint VARCHAR);
