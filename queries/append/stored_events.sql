-- The ids of the staged table that are stored already.
SELECT id FROM events SEMI JOIN incoming USING (id);
