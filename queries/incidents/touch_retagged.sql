-- Notes the incidents of the events whose tags were changed.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT agent, coalesce(incident, id) AS incident, min(position) AS first_position, min(time) AS opened_at,
    NULL::TIMESTAMPTZ AS opened_before -- the incident as it was made last; see forget.sql
FROM events SEMI JOIN incoming USING (id)
GROUP BY ALL;
