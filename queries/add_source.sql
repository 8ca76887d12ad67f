-- Keeps what a source can show.
INSERT INTO sources VALUES ($source, $attempts, $final, $recoveries);
