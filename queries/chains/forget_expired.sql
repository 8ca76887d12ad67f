-- Forgets the chains of the days up to $cutoff, of which incidents expire.
DELETE FROM chains WHERE day <= day_of($cutoff::TIMESTAMPTZ);
