-- Begins a transaction that cannot write.
BEGIN TRANSACTION READ ONLY;
