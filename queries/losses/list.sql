-- The losses that can concern [$from, $to), latest first: what a new store does
-- not have concerns all time before it.
SELECT noticed, since, kind, behind, messages, damaged
FROM losses
WHERE noticed >= $from AND (since < $to OR kind = 'start') AND messages IS DISTINCT FROM 0
ORDER BY noticed DESC, behind DESC, kind;
