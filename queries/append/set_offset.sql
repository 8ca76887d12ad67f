-- Sets how far a stream is stored that has been stored from before.
UPDATE offsets SET sequence = $sequence WHERE stream = $stream AND created = $created;
