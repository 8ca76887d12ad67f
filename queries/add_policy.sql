-- Keeps a change of a policy.
INSERT INTO policies (agent, operation, category, knob, value, since, reason, who, suggestion, setting, previous)
VALUES ($agent, $operation, $category, $knob, $value, $since, $reason, $who, $suggestion, $setting, nullif($previous, ''));
