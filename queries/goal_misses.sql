-- Three of the incidents that opened in [$from, $to), pass the filter and $code
-- ('' lets every code pass) and count against a goal for $metric: those of most
-- retries first, then the latest. The metrics are those of goal.sql.
SELECT agent, incident
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE $code IN ('', code) AND CASE $metric
    WHEN 'resolution_rate' THEN rated AND NOT resolved
    WHEN 'retry_success' THEN rated AND retries > 0 AND NOT resolved
    WHEN 'retries_mean' THEN retries > 0
    WHEN 'open' THEN resolution = 'open' AND NOT cancelled
    WHEN 'wasted_retries' THEN retries > 0 AND hopeless AND lost
    ELSE true
END
ORDER BY coalesce(retries, 0) DESC, opened_at DESC, agent, incident
LIMIT 3;
