-- The losses that can concern [$from, $to), latest first: what was lost may have
-- been of any time before that was noticed, as imported history is.
SELECT noticed, since, kind, created, behind, messages, damaged
FROM losses
WHERE noticed >= $from AND messages IS DISTINCT FROM 0
ORDER BY noticed DESC, behind DESC, kind;
