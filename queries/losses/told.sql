-- Whether a loss of the stream of birth $created was noticed when its server could
-- not read just so many bytes, or one up to its end $ended where it read all. One row.
SELECT count(*) > 0
FROM losses
WHERE created = $created AND damaged = $damaged AND ($damaged > 0 OR kind = 'end' AND behind + messages >= $ended);
