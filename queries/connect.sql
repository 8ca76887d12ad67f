-- Settings of every connection to the store: times are UTC, statements reach no
-- other file and no network, and nobody can loosen that.
SET GLOBAL TimeZone = 'UTC';
SET GLOBAL enable_external_access = false;
SET GLOBAL lock_configuration = true;
