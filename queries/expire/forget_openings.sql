-- Forgets what no incident opened with that is still stored.
DELETE FROM openings WHERE opening NOT IN (SELECT opening FROM incidents_daily);
