-- The chains kept in the form $form of the days [$first, $last]. In no order:
-- sorting them would copy all.
SELECT chains FROM chains WHERE form = $form AND day >= $first AND day <= $last;
