-- The ids of the staged table that are in quarantine already, and those that stand there
-- more than once.
WITH staged AS MATERIALIZED (SELECT id FROM incoming)
SELECT id, true AS stored, '' AS agent, 'epoch'::TIMESTAMPTZ AS time FROM quarantine SEMI JOIN staged USING (id)
UNION ALL
SELECT id, false, '', 'epoch'::TIMESTAMPTZ FROM staged GROUP BY id HAVING count(*) > 1;
