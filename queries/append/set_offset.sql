-- Sets how far a stream is stored that has been stored from before.
UPDATE offsets SET base = $base, sequence = $sequence WHERE stream = $stream AND created = $created;
