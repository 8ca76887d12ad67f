-- Forgets what sources can show, to be told anew.
DELETE FROM sources;
