-- Where the first event of the touched incidents lies. One row.
SELECT coalesce(min(first_position), 0) FROM touched;
