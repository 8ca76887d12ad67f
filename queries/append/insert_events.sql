-- Stores the batch's new events.
INSERT INTO events SELECT * EXCLUDE (again) FROM incoming WHERE NOT again;
