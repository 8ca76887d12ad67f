-- The position up to which the next $most events lie that incidents do not
-- tell of yet; NULL when there are none. One row.
SELECT max(position)
FROM (
    SELECT position FROM events
    WHERE position > (SELECT position FROM incidents_upto)
    ORDER BY position LIMIT $most
);
