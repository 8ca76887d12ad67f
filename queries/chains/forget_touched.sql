-- Forgets the chains of the days on which the touched incidents open, or opened
-- before they were made anew.
DELETE FROM chains WHERE day IN (
    SELECT day_of(opened_at) FROM touched
    UNION
    SELECT day_of(opened_before) FROM touched WHERE opened_before IS NOT NULL
);
