-- Empties the temporary tables for the next batch.
TRUNCATE incoming;
TRUNCATE incoming_bad;
