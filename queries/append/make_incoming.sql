-- The temporary tables of the writer's connection.
CREATE OR REPLACE TEMP TABLE incoming AS SELECT *, false AS again FROM events LIMIT 0;
CREATE OR REPLACE TEMP TABLE incoming_bad AS SELECT *, false AS again FROM quarantine LIMIT 0;
