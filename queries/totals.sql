-- The incidents that opened in [$from, $to), and all events of that time
-- (with a filter: those that pass it by themselves). One row.
SELECT
    (SELECT count(*) FROM events
        WHERE time >= $from AND time < $to AND $agent IN ('', agent) AND $operation IN ('', operation)
            AND $category IN ('', category::VARCHAR) AND $provider IN ('', provider)) AS events,
    count(*) AS incidents,
    count(*) FILTER (resolved AND NOT cancelled) AS resolved,
    count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
    count(*) FILTER (cancelled) AS cancelled,
    count(*) FILTER (resolved AND NOT cancelled) / nullif(count(*) FILTER (NOT cancelled), 0) AS resolution_rate,
    avg(retries) AS retries_mean
FROM incidents_in($from, $to, $agent, $operation, $category, $provider);
