-- Notes the incidents of the events behind those told of, up to $bound. A
-- success that names no incident belongs to none.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT agent, coalesce(incident, id) AS incident, min(position) AS first_position, min(time) AS opened_at
FROM events
WHERE position > (SELECT position FROM incidents_upto) AND position <= $bound::UBIGINT AND (incident IS NOT NULL OR kind = 'failure')
GROUP BY ALL;
