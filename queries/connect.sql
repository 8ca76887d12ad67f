-- Settings of every connection to the store: times are UTC, and nobody can
-- loosen what was set at its opening.
SET GLOBAL TimeZone = 'UTC';
SET GLOBAL lock_configuration = true;
