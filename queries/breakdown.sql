-- Incidents that opened in [$from, $to) by each dimension of the report, most
-- frequent first within a dimension. Operations stand with their agent; a
-- provider or model that nobody told is left out, a missing code or operation
-- is an empty key. Days are of 24 hours from $from: their squares tell how
-- evenly the incidents came. Wasted and squares as in totals.sql.
WITH incidents AS (
    SELECT *, coalesce(code, '') AS code_key, coalesce(operation, '') AS operation_key,
        (epoch_us(opened_at) - epoch_us($from::TIMESTAMPTZ)) // 86400000000 AS day
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
), daily AS (
    SELECT
        CASE
            WHEN grouping(code_key) = 0 THEN 'code'
            WHEN grouping(taxonomy) = 0 THEN 'taxonomy'
            WHEN grouping(category) = 0 THEN 'category'
            WHEN grouping(operation_key) = 0 THEN 'operation'
            WHEN grouping(agent) = 0 THEN 'agent'
            WHEN grouping(provider) = 0 THEN 'provider'
            ELSE 'model'
        END AS dimension,
        coalesce(code_key, taxonomy::VARCHAR, category::VARCHAR, operation_key, provider, model, agent) AS key,
        CASE WHEN grouping(operation_key) = 0 THEN agent ELSE '' END AS agent,
        sum(events) AS events,
        count(*) AS incidents,
        count(*) FILTER (resolved AND rated) AS resolved,
        count(*) FILTER (cancelled) AS cancelled,
        count(*) FILTER (rated) AS rated,
        count(retries) AS with_attempts,
        sum(retries) AS retries,
        sum(retries::HUGEINT * retries) AS retries_squares,
        sum(retries) FILTER (NOT retryable AND NOT cancelled AND category <> 'unknown' AND resolution NOT IN ('retried', 'compressed')) AS wasted,
        day
    FROM incidents
    GROUP BY GROUPING SETS ((code_key, day), (taxonomy, day), (category, day), (agent, operation_key, day), (agent, day), (provider, day), (model, day))
)
SELECT
    dimension, key, agent,
    sum(events)::BIGINT AS events,
    sum(incidents)::BIGINT AS incidents,
    sum(resolved)::BIGINT AS resolved,
    sum(cancelled)::BIGINT AS cancelled,
    sum(rated)::BIGINT AS rated,
    sum(with_attempts)::BIGINT AS with_attempts,
    coalesce(sum(retries), 0)::BIGINT AS retries,
    least(coalesce(sum(retries_squares), 0), 9223372036854775807)::BIGINT AS retries_squares,
    sum(incidents * incidents)::BIGINT AS day_squares,
    coalesce(sum(wasted), 0)::BIGINT AS wasted,
    max(incidents)::BIGINT AS busiest,
    arg_max(day, (incidents, -day))::BIGINT AS busiest_day,
    sum(resolved) / nullif(sum(rated), 0) AS resolution_rate,
    sum(retries) / nullif(sum(with_attempts), 0) AS retries_mean
FROM daily
WHERE key IS NOT NULL
GROUP BY dimension, key, agent
ORDER BY dimension, incidents DESC, key, agent;
