-- Ends a transaction that only read.
ROLLBACK;
