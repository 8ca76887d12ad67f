-- Notes the days on which the incidents opened that were made anew, as they are
-- and as they were before.
CREATE OR REPLACE TEMP TABLE touched_days AS
SELECT day_of(opened_at) AS day FROM made
UNION
SELECT day_of(opened_before) FROM touched WHERE opened_before IS NOT NULL;
DROP TABLE made;
