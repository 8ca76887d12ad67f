-- The incidents that opened in [$from, $to), and all events of that time
-- (with a filter: those that pass it by themselves). Wasted are the retries of
-- what the same call could not pass, and that did not resolve it; what no rule
-- matched is left out. Days are of 24 hours from $from. Sums of squares end at
-- the largest BIGINT, as an agent may count attempts by a clock. One row.
WITH daily AS (
    SELECT
        day,
        sum(incidents) AS incidents,
        sum(resolved) FILTER (rated) AS resolved,
        coalesce(sum(open) FILTER (NOT cancelled), 0) AS open,
        sum(incidents) FILTER (cancelled) AS cancelled,
        sum(incidents) FILTER (rated) AS rated,
        sum(human) AS human,
        sum(with_attempts) AS with_attempts,
        sum(retries) AS retries,
        sum(retries_squares) AS retries_squares,
        least(coalesce(sum(retries_lost) FILTER (hopeless), 0), 9007199254740991) AS wasted
    FROM counted_by_opening($from, $to, $agent, $operation, $category, $provider)
    JOIN openings_of('', '', '', '') USING (opening)
    GROUP BY day
)
SELECT
    (SELECT count(*) FROM events
        WHERE time >= $from AND time < $to AND ($agent = '' OR agent = $agent) AND ($operation = '' OR operation = $operation)
            AND ($category = '' OR category::VARCHAR = $category) AND ($provider = '' OR provider = $provider)) AS events,
    coalesce(sum(incidents), 0)::BIGINT AS incidents,
    coalesce(sum(resolved), 0)::BIGINT AS resolved,
    coalesce(sum(open), 0)::BIGINT AS open,
    coalesce(sum(cancelled), 0)::BIGINT AS cancelled,
    coalesce(sum(rated), 0)::BIGINT AS rated,
    coalesce(sum(human), 0)::BIGINT AS human,
    coalesce(sum(with_attempts), 0)::BIGINT AS with_attempts,
    least(coalesce(sum(retries), 0), 9007199254740991)::BIGINT AS retries,
    least(coalesce(sum(retries_squares), 0), 9223372036854775807)::BIGINT AS retries_squares,
    least(coalesce(sum(wasted), 0), 9007199254740991)::BIGINT AS wasted,
    coalesce(sum(incidents * incidents), 0)::BIGINT AS day_squares,
    least(coalesce(sum(wasted * wasted), 0), 9223372036854775807)::BIGINT AS wasted_squares,
    coalesce(sum(open * open), 0)::BIGINT AS open_squares,
    coalesce(sum(resolved), 0) / nullif(sum(rated), 0) AS resolution_rate,
    sum(retries) / nullif(sum(with_attempts), 0) AS retries_mean
FROM daily;
