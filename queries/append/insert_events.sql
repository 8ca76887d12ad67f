-- Stores the events of the staged table, whose stream begins behind position $base.
INSERT INTO events BY NAME
SELECT * EXCLUDE (sequence), ($base::UBIGINT + sequence::UBIGINT) AS position
FROM incoming;
