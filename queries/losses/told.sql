-- Whether a loss of the stream of birth $created was noticed when its server could
-- not read just so many bytes. One row.
SELECT count(*) > 0 FROM losses WHERE created = $created AND damaged = $damaged;
