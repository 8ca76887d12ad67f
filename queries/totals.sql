-- The incidents that opened in [$from, $to), and all events of that time. One row.
SELECT
    (SELECT count(*) FROM events WHERE time >= $from AND time < $to) AS events,
    count(*) AS incidents,
    count(*) FILTER (resolved AND NOT cancelled) AS resolved,
    count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
    count(*) FILTER (cancelled) AS cancelled,
    count(*) FILTER (resolved AND NOT cancelled) / nullif(count(*) FILTER (NOT cancelled), 0) AS resolution_rate,
    avg(retries) AS retries_mean
FROM v_incidents
WHERE opened_at >= $from AND opened_at < $to;
