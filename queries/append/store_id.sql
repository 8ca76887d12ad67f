-- The id that the store was born with. One row.
SELECT id FROM store;
