-- The last row of the events; NULL when there is none. One row.
SELECT max(rowid) FROM events;
