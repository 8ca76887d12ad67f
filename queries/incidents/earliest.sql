-- When the first of the touched incidents opened, before or after they were
-- made anew; NULL when none was touched. One row.
SELECT min(opened_at) FROM touched;
