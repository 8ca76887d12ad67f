-- The ids of the staged table that are in quarantine already.
SELECT id FROM quarantine SEMI JOIN incoming USING (id);
