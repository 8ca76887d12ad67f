-- Deletes the bad input that arrived before $cutoff.
DELETE FROM quarantine WHERE arrived < $cutoff;
