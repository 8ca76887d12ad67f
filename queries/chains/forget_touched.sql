-- Forgets the chains of the days on which the touched incidents open, or opened
-- before they were made anew.
DELETE FROM chains WHERE day IN (
    SELECT epoch_us(opened_at) // 86400000000 FROM touched
    UNION
    SELECT epoch_us(opened_before) // 86400000000 FROM touched WHERE opened_before IS NOT NULL
);
