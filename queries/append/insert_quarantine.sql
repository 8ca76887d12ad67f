-- Keeps the batch's new bad input.
INSERT INTO quarantine SELECT * EXCLUDE (again) FROM incoming_bad WHERE NOT again;
