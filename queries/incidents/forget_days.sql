-- Takes out the counts of the touched days.
DELETE FROM incidents_daily WHERE day IN (SELECT day FROM touched_days);
