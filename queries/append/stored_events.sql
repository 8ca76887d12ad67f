-- The ids of the staged table that are stored already, with the agent and the time
-- of what is stored, and those that stand there more than once.
WITH staged AS MATERIALIZED (SELECT id FROM incoming)
SELECT id, true AS stored, agent, time FROM events SEMI JOIN staged USING (id)
UNION ALL
SELECT id, false, '', 'epoch'::TIMESTAMPTZ FROM staged GROUP BY id HAVING count(*) > 1;
