-- Sets how far a stream is stored.
INSERT INTO offsets VALUES ($stream, $created, $base, $sequence)
ON CONFLICT (stream, created) DO UPDATE SET sequence = excluded.sequence;
