-- The days on which incidents opened in [$from, $to) and whose chains are not
-- kept in the form $form, by day.
SELECT DISTINCT day_of(opened_at) AS day
FROM incidents
WHERE opened_at >= $from AND opened_at < $to
    AND day_of(opened_at) NOT IN (SELECT day FROM chains WHERE form = $form)
ORDER BY day;
