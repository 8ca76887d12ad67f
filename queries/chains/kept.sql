-- The chains kept in the form $form of the days [$first, $last], by day.
SELECT chains FROM chains WHERE form = $form AND day >= $first AND day <= $last ORDER BY day;
