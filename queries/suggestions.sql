-- The suggestions that were still open after $from and learnt from what began
-- before $to, in the order in which their spans began; one span's by id.
SELECT id, made, span_from, span_to, due, body FROM suggestions
WHERE due > $from AND span_from < $to
ORDER BY span_from, span_to, id;
