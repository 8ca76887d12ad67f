-- Writes nothing new, but writes: fails when the store cannot take a row.
INSERT INTO offsets SELECT stream, created, base, sequence FROM offsets
UNION ALL SELECT '', TIMESTAMPTZ '1970-01-01 00:00:00+00', 0, 0 WHERE NOT EXISTS (FROM offsets WHERE stream = '')
ON CONFLICT (stream, created) DO UPDATE SET sequence = excluded.sequence;
