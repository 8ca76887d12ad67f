-- Sets how far a stream is stored for the first time.
INSERT INTO offsets VALUES ($stream, $created, $base, $sequence);
