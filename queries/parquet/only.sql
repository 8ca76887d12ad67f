-- Settings of a connection that reaches the folder and nothing else.
SET GLOBAL TimeZone = 'UTC';
SET GLOBAL autoinstall_known_extensions = false;
SET GLOBAL allowed_directories = ['folder'];
SET GLOBAL enable_external_access = false;
SET GLOBAL lock_configuration = true;
