-- How long the incidents that opened in [$from, $to) took from the first
-- failure to the outcome that resolved them, all first (an empty category), then
-- by category, most frequent first: p50 and p90 of the resolved ones alone, and
-- the time within which half of all were resolved, by the estimate of Kaplan and
-- Meier (1958, JASA 53). There, one that was not resolved, be it open or given
-- up, is known to be so until the store's last event. Bounds are those of
-- Brookmeyer and Crowley (1982, Biometrics 38) at 95%: the times at which those of
-- the estimate pass one half, by Greenwood's variance on the log-log scale
-- (Kalbfleisch and Prentice 1980). An incident of one record that tells its end
-- too has no time. Only incidents that the rates count are asked. How long one
-- was not resolved matters only as far as the longest time to a resolution.
WITH rated AS (
    SELECT category, resolved,
        if(resolved AND events > 1, greatest(epoch_ms(closed_at) - epoch_ms(opened_at), 0), NULL) AS ms,
        CASE
            WHEN events = 1 AND resolution <> 'open' THEN NULL
            WHEN resolved THEN ms
            ELSE greatest(epoch_ms(last) - epoch_ms(opened_at), 0)
        END AS seen
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider), (SELECT max(time) AS last FROM events)
    WHERE rated
), longest AS (
    SELECT coalesce(max(seen) FILTER (resolved), -1) AS ms FROM rated
), counted AS (
    SELECT coalesce(category::VARCHAR, '') AS category,
        count(*) AS incidents, count(*) FILTER (resolved) AS resolved, count(ms) AS timed, count(seen) AS seen,
        quantile_disc(ms, 0.5) AS p50_ms, quantile_disc(ms, 0.9) AS p90_ms
    FROM rated
    GROUP BY GROUPING SETS ((), (category))
    HAVING grouping(category) = 1 OR category IS NOT NULL
), grouped AS (
    SELECT category, least(seen, longest.ms + 1) AS ms, count(*) FILTER (resolved) AS won, count(*) AS n
    FROM rated, longest
    WHERE seen IS NOT NULL
    GROUP BY ALL
), times AS (
    SELECT coalesce(category::VARCHAR, '') AS category, ms,
        sum(won)::BIGINT AS won, sum(sum(n)::BIGINT) OVER (PARTITION BY category, grouping(category) ORDER BY ms DESC) AS at_risk
    FROM grouped
    GROUP BY GROUPING SETS ((ms), (category, ms))
    HAVING grouping(category) = 1 OR category IS NOT NULL
), curve AS (
    SELECT category, ms,
        sum(if(won = at_risk, '-infinity', ln(1 - won / nullif(at_risk, won)))) OVER up AS log_open,
        sqrt(sum(won / (at_risk * nullif(at_risk - won, 0))) OVER up) AS error
    FROM times
    WHERE won > 0
    WINDOW up AS (PARTITION BY category ORDER BY ms)
), halves AS (
    SELECT category,
        min(ms) FILTER (log_open <= ln(0.5) + 1e-9) AS half, -- sums of logarithms end a little beside
        min(ms) FILTER (log_open * exp(1.959964 * error / -log_open) <= ln(0.5)) AS low,
        min(ms) FILTER (isfinite(log_open) AND log_open * exp(-1.959964 * error / -log_open) <= ln(0.5)) AS high
    FROM curve
    GROUP BY category
)
SELECT c.category, incidents, resolved, timed, p50_ms, p90_ms, seen, half, low, high
FROM counted AS c LEFT JOIN halves AS h ON h.category = c.category
ORDER BY c.category <> '', incidents DESC, c.category;
