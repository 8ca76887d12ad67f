-- At most $most of the incidents that opened in [$from, $to), newest first:
-- those that have $text in message, operation or incident, in either case, and
-- what else is not empty. What was cancelled is not open, as in every count. A
-- page goes on behind the incident ($after_time, $after_agent, $after_incident);
-- without one $after_time is after $to.
SELECT agent, incident, opened_at, coalesce(operation, '') AS operation, coalesce(code, '') AS code,
    coalesce(message, '') AS message, coalesce(category::VARCHAR, '') AS category,
    resolution::VARCHAR AS resolution, resolved, attempts
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE opened_at <= $after_time
    AND (opened_at < $after_time OR (agent, incident) > ($after_agent, $after_incident))
    AND ($text = '' OR contains(lower(message), lower($text)) OR contains(lower(operation), lower($text)) OR contains(lower(incident), lower($text)))
    AND ($fingerprint = '' OR fingerprint = $fingerprint)
    AND ($code = '' OR code = $code)
    AND ($state = '' OR CASE $state WHEN 'open' THEN resolution = 'open' AND NOT cancelled WHEN 'resolved' THEN resolved ELSE resolution <> 'open' AND NOT resolved END)
ORDER BY opened_at DESC, agent, incident
LIMIT $most;
