-- What is behind the rows of the report: of the incidents that opened in
-- [$from, $to), for each key of each dimension the five most frequent messages
-- by fingerprint, with three incidents of each, those of most attempts first.
-- By dimension, key, agent (of operations; else empty) and frequency. $messages
-- is a JSON list of the fingerprints that are a key of their own, $outages one
-- of the outages, whose key is their place in the list, $cells one of the cells
-- of agent, operation and category that are a key, with U+001F between.
WITH outages AS (
    SELECT unnest(from_json($outages, '[{"key": "VARCHAR", "provider": "VARCHAR", "category": "VARCHAR", "from": "TIMESTAMPTZ", "to": "TIMESTAMPTZ"}]'), recursive := true)
), incidents AS (
    SELECT i.agent, i.incident, coalesce(i.fingerprint, '') AS message_key, i.opened_at,
        coalesce(i.code, '') AS code, i.taxonomy::VARCHAR AS taxonomy, i.category::VARCHAR AS category,
        coalesce(i.operation, '') AS operation, i.provider, i.model, i.source,
        if(i.cancelled, NULL, i.retries::VARCHAR) AS retries,
        strftime(i.opened_at AT TIME ZONE $timezone, '%Y-%m-%d') AS day,
        isodow(i.opened_at AT TIME ZONE $timezone)::VARCHAR AS weekday,
        if(i.resolution = 'human' AND NOT i.cancelled, i.category::VARCHAR || ' ' || coalesce(i.operation, ''), NULL) AS human,
        if(NOT i.retryable AND NOT i.cancelled AND i.category <> 'unknown' AND i.retries > 0 AND i.resolution NOT IN ('retried', 'compressed'),
            i.category::VARCHAR || ' ' || coalesce(i.operation, ''), NULL) AS wasted,
        if(list_contains(from_json($messages, '["VARCHAR"]'), i.fingerprint), i.fingerprint, NULL) AS message,
        if(list_contains(from_json($cells, '["VARCHAR"]'), concat_ws(chr(31), i.agent, i.operation, i.category)),
            concat_ws(chr(31), i.agent, i.operation, i.category), NULL) AS cell,
        o.key AS outage,
        row_number() OVER (ORDER BY i.attempts NULLS FIRST, i.opened_at, i.agent, i.incident) AS rank
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider) AS i
    LEFT JOIN outages AS o ON o.provider = i.provider AND o.category = i.category::VARCHAR
        AND i.opened_at >= o.from AND i.opened_at < o.to AND NOT i.cancelled
), grouped AS (
    SELECT
        CASE
            WHEN grouping(code) = 0 THEN 'code'
            WHEN grouping(taxonomy) = 0 THEN 'taxonomy'
            WHEN grouping(category) = 0 THEN 'category'
            WHEN grouping(operation) = 0 THEN 'operation'
            WHEN grouping(agent) = 0 THEN 'agent'
            WHEN grouping(provider) = 0 THEN 'provider'
            WHEN grouping(model) = 0 THEN 'model'
            WHEN grouping(source) = 0 THEN 'source'
            WHEN grouping(retries) = 0 THEN 'retries'
            WHEN grouping(day) = 0 THEN 'day'
            WHEN grouping(weekday) = 0 THEN 'weekday'
            WHEN grouping(human) = 0 THEN 'human'
            WHEN grouping(wasted) = 0 THEN 'wasted'
            WHEN grouping(message) = 0 THEN 'message'
            WHEN grouping(cell) = 0 THEN 'cell'
            ELSE 'outage'
        END AS dimension,
        coalesce(code, taxonomy, category, operation, provider, model, source, retries, day, weekday, human, wasted, message, cell, outage, agent) AS key,
        if(grouping(operation) = 0, agent, '') AS of_agent,
        message_key, count(*) AS n, min(opened_at) AS first_seen, max(opened_at) AS last_seen, max(rank, 3) AS ranks
    FROM incidents
    GROUP BY GROUPING SETS (
        (message_key, code), (message_key, taxonomy), (message_key, category), (message_key, agent, operation), (message_key, agent),
        (message_key, provider), (message_key, model), (message_key, source), (message_key, retries), (message_key, day), (message_key, weekday),
        (message_key, human), (message_key, wasted), (message_key, message), (message_key, cell), (message_key, outage))
), ranked AS (
    SELECT *, count(*) OVER same AS messages,
        row_number() OVER (PARTITION BY dimension, key, of_agent ORDER BY n DESC, first_seen, message_key) AS place
    FROM grouped
    WHERE key IS NOT NULL
    WINDOW same AS (PARTITION BY dimension, key, of_agent)
), named AS (
    SELECT r.dimension, r.key, r.of_agent, r.message_key, r.n, r.first_seen, r.last_seen, r.messages, r.place,
        list({'agent': i.agent, 'incident': i.incident} ORDER BY i.rank DESC) AS examples
    FROM (SELECT *, unnest(ranks) AS rank FROM ranked WHERE place <= 5) AS r
    JOIN incidents AS i ON i.rank = r.rank
    GROUP BY ALL
)
SELECT dimension, key, of_agent, message_key, n, first_seen, last_seen, messages, to_json(examples)::VARCHAR AS examples
FROM named
ORDER BY dimension, key, of_agent, place;
