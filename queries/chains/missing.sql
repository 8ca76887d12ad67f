-- The days on which incidents opened in [$from, $to) and whose chains are not
-- kept in the form $form, by day.
SELECT DISTINCT epoch_us(opened_at) // 86400000000 AS day
FROM incidents
WHERE opened_at >= $from AND opened_at < $to
    AND epoch_us(opened_at) // 86400000000 NOT IN (SELECT day FROM chains WHERE form = $form)
ORDER BY day;
