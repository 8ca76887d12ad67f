-- Drops the view of the staged rows.
DROP VIEW incoming;
