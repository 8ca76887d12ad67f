-- How many operations that began in [$from, $to) passed at a retry of whose
-- failures nobody told. One row.
SELECT count(*) FROM incidents
WHERE opened_at >= $from AND opened_at < $to AND failures = 0 AND attempts > 1;
