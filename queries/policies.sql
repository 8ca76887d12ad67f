-- The changes of policies that were put in force, by time.
SELECT agent, operation, category, knob, value, since, reason, who, suggestion, setting, coalesce(previous, '')
FROM policies
ORDER BY since, agent, operation, category, knob;
