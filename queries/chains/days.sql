-- The days of [$first, $last] whose chains are kept in the form $form, by day.
SELECT DISTINCT day FROM chains WHERE form = $form AND day >= $first AND day <= $last ORDER BY day;
