-- When the first touched day begins and the last one ends; NULL when there is
-- none. One row.
SELECT start_of_day(min(day)), start_of_day(max(day) + 1) FROM touched_days;
