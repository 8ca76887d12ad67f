-- The days on which incidents opened in [$from, $to) and whose chains are not
-- kept in the form $form, by day.
SELECT DISTINCT day
FROM incidents_daily
WHERE last_opened >= $from AND first_opened < $to
    AND day NOT IN (SELECT day FROM chains WHERE form = $form)
ORDER BY day;
