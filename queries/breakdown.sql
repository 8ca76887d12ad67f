-- Incidents that opened in [$from, $to) by each dimension of the report, most
-- frequent first within a dimension. Operations stand with their agent; a
-- provider or model that nobody told is left out, a missing code or operation
-- is an empty key.
WITH incidents AS (
    SELECT *, coalesce(code, '') AS code_key, coalesce(operation, '') AS operation_key
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
), grouped AS (
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
        sum(events)::BIGINT AS events,
        count(*) AS incidents,
        count(*) FILTER (resolved AND NOT cancelled) AS resolved,
        count(*) FILTER (cancelled) AS cancelled,
        count(*) FILTER (resolved AND NOT cancelled) / nullif(count(*) FILTER (NOT cancelled), 0) AS resolution_rate,
        avg(retries) AS retries_mean
    FROM incidents
    GROUP BY GROUPING SETS ((code_key), (taxonomy), (category), (agent, operation_key), (agent), (provider), (model))
)
SELECT dimension, key, agent, events, incidents, resolved, cancelled, resolution_rate, retries_mean
FROM grouped
WHERE key IS NOT NULL
ORDER BY dimension, incidents DESC, key, agent;
