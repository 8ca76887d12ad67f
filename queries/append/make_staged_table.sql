-- The temporary table of staged rows, with the columns of the batch.
CREATE OR REPLACE TEMP TABLE incoming (columns);
