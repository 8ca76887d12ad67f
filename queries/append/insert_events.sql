-- Stores the events of the staged table.
INSERT INTO events BY NAME SELECT * FROM incoming;
