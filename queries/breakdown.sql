-- Incidents that opened in [$from, $to) by each dimension of the report, most
-- frequent first within a dimension. Operations stand with their agent; a
-- provider or model that nobody told is left out, a missing code or operation
-- is an empty key. Days are of 24 hours from $from: their squares tell how
-- evenly the incidents came. Wasted and squares as in totals.sql. Names are looked
-- up of what is counted.
WITH named AS (
    SELECT c.*, o.agent, o.taxonomy, o.category, o.provider, o.model, o.cancelled, o.rated, o.hopeless,
        coalesce(o.code, '') AS code_key, coalesce(o.operation, '') AS operation_key
    FROM counted_by_opening($from, $to, $agent, $operation, $category, $provider) AS c
    JOIN openings_of('', '', '', '') AS o ON o.opening = c.opening
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
        sum(incidents) AS incidents,
        sum(resolved) FILTER (rated) AS resolved,
        sum(incidents) FILTER (cancelled) AS cancelled,
        sum(incidents) FILTER (rated) AS rated,
        sum(with_attempts) AS with_attempts,
        sum(retries) AS retries,
        sum(retries_squares) AS retries_squares,
        sum(retries_lost) FILTER (hopeless) AS wasted,
        day
    FROM named
    GROUP BY GROUPING SETS ((code_key, day), (taxonomy, day), (category, day), (agent, operation_key, day), (agent, day), (provider, day), (model, day))
)
SELECT
    dimension, key, agent,
    sum(events)::BIGINT AS events,
    sum(incidents)::BIGINT AS incidents,
    coalesce(sum(resolved), 0)::BIGINT AS resolved,
    coalesce(sum(cancelled), 0)::BIGINT AS cancelled,
    coalesce(sum(rated), 0)::BIGINT AS rated,
    sum(with_attempts)::BIGINT AS with_attempts,
    least(coalesce(sum(retries), 0), 9007199254740991)::BIGINT AS retries,
    least(coalesce(sum(retries_squares), 0), 9223372036854775807)::BIGINT AS retries_squares,
    sum(incidents * incidents)::BIGINT AS day_squares,
    least(coalesce(sum(wasted), 0), 9007199254740991)::BIGINT AS wasted,
    max(incidents)::BIGINT AS busiest,
    arg_max(day, (incidents, -day))::BIGINT AS busiest_day,
    coalesce(sum(resolved), 0) / nullif(sum(rated), 0) AS resolution_rate,
    sum(retries) / nullif(sum(with_attempts), 0) AS retries_mean
FROM daily
WHERE key IS NOT NULL
GROUP BY dimension, key, agent
ORDER BY dimension, incidents DESC, key, agent;
