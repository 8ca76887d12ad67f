-- Hours in which a category burst out across agents of one provider, of the
-- incidents that opened in [$from, $to), by provider, category and hour: hours
-- of at least $agents agents and of more incidents than usual. That is the
-- 90 % point of the hours that had any (the middle one of fewer than ten), or, if
-- that is less, of the busiest hours of all days from first to last (ten and more;
-- at least the middle one of the days that had any, and at most three times that
-- unless a fifth of the days had as many), or
-- what a third of the days, and two others at least, had at this hour of the
-- day or of the week, if that is more.
WITH counted AS (
    SELECT opening, stretch_of(opened_at, 3_600_000_000) AS hour, count(*) AS incidents
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
    WHERE NOT cancelled
    GROUP BY ALL
), hours AS MATERIALIZED (
    SELECT provider, category, hour,
        sum(incidents)::BIGINT AS incidents, count(DISTINCT agent) AS agents, count(DISTINCT operation) AS operations
    FROM counted JOIN openings USING (opening)
    WHERE provider IS NOT NULL AND category IS NOT NULL
    GROUP BY ALL
), sorted AS (
    SELECT provider, category, min(hour) AS first, max(hour) AS last, list_sort(list(incidents)) AS counts FROM hours GROUP BY ALL
), busiest AS (
    SELECT provider, category, max(incidents) AS incidents FROM hours GROUP BY provider, category, hour // 24
), daily AS (
    SELECT provider, category, list_sort(list(incidents)) AS most FROM busiest GROUP BY ALL
), busy AS (
    SELECT provider, category, first, last, last // 24 - first // 24 + 1 AS days, len(most) - days AS quiet, most[1 + len(most) // 2] AS middle,
        most[1 + greatest(0, quiet + days * 8 // 10)] AS eighth, most[1 + greatest(0, quiet + days * 9 // 10)] AS ninth,
        counts[1 + if(len(counts) < 10, len(counts) // 2, len(counts) * 9 // 10)] AS hourly,
        if(days < 10, hourly, least(hourly, greatest(middle, ninth), greatest(3 * middle, eighth))) AS incidents
    FROM sorted JOIN daily USING (provider, category)
), phases AS (
    SELECT provider, category, hour, period, (hour - first) % period AS phase, last - first AS length, hours.incidents
    FROM hours JOIN busy USING (provider, category), (VALUES (24), (7 * 24)) AS periods(period)
), repeated AS (
    SELECT provider, category, period, phase,
        list_reverse_sort(list(incidents))[1 + greatest(2, ((any_value(length) - phase) // period + 2) // 3)] AS incidents
    FROM phases
    GROUP BY provider, category, period, phase
), expected AS (
    SELECT provider, category, hour, greatest(any_value(busy.incidents), max(repeated.incidents)) AS usual
    FROM phases JOIN repeated USING (provider, category, period, phase) JOIN busy USING (provider, category)
    GROUP BY ALL
)
SELECT provider, category::VARCHAR AS category, make_timestamptz(hour * 3_600_000_000) AS hour, incidents, agents, operations, usual
FROM hours JOIN expected USING (provider, category, hour)
WHERE agents >= $agents AND incidents > usual
ORDER BY provider, category, hour;
