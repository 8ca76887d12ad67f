-- Forgets the chains of the days up to $cutoff, of which incidents expire.
DELETE FROM chains WHERE day <= epoch_us($cutoff::TIMESTAMPTZ) // 86400000000;
