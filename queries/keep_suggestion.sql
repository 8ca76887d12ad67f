-- Keeps a suggestion. One that is made again stays one row, with the time at
-- which it was first made.
MERGE INTO suggestions AS kept
USING (SELECT $id AS id, $made AS made, $from AS span_from, $to AS span_to, $due AS due, $body AS body) AS new
ON kept.id = new.id
WHEN MATCHED THEN UPDATE SET body = new.body
WHEN NOT MATCHED THEN INSERT (id, month, made, span_from, span_to, due, body)
    VALUES (new.id, new.span_from::DATE, new.made, new.span_from, new.span_to, new.due, new.body);
