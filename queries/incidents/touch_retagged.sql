-- Notes the incidents of the events whose tags were changed.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT agent, coalesce(incident, id) AS incident, min(position) AS first_position, min(time) AS opened_at
FROM events SEMI JOIN incoming USING (id)
GROUP BY ALL;
