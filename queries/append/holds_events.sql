-- Whether any event is stored.
SELECT count(*) > 0 FROM (FROM events LIMIT 1);
