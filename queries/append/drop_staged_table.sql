-- Drops the temporary table of the staged rows.
DROP TABLE temp.incoming;
