-- What is behind the rows of the report: of the incidents that opened in
-- [$from, $to), for each key of each dimension the five most frequent messages
-- by fingerprint, with three incidents of each, those of most attempts first.
-- By dimension, key, agent (of operations; else empty) and frequency. $messages
-- is a JSON list of the fingerprints that are a key of their own, $outages one
-- of the outages, whose key is their place in the list, $cells one of the cells
-- of agent, operation and category that are a key, with U+001F between. Those
-- that no row tells apart are put together first, with the three of them that
-- may be examples.
WITH outages AS (
    SELECT unnest(from_json($outages, '[{"key": "VARCHAR", "provider": "VARCHAR", "category": "VARCHAR", "from": "TIMESTAMPTZ", "to": "TIMESTAMPTZ"}]'), recursive := true)
), days AS (
    SELECT DISTINCT day FROM incidents_daily WHERE day >= day_of($from::TIMESTAMPTZ) AND day <= day_of($to::TIMESTAMPTZ)
), calendar AS ( -- of quarters of an hour, as every zone's days begin with one
    SELECT quarter, (start_of_quarter(quarter) AT TIME ZONE $timezone)::DATE AS day
    FROM (SELECT unnest(range(96 * day, 96 * day + 96)) AS quarter FROM days)
), struck AS (
    SELECT o.opening, u.key, u.from, u.to
    FROM openings_of('', '', '', '') AS o JOIN outages AS u ON u.provider = o.provider AND u.category = o.category::VARCHAR
    WHERE NOT o.cancelled
), alike AS (
    SELECT i.opening, i.retries, i.resolution = 'human' AS human, i.lost AND i.retries > 0 AS lost, c.day, s.key AS outage,
        count(*) AS n, min(i.opened_at) AS first_seen, max(i.opened_at) AS last_seen,
        max({'opened_at': i.opened_at, 'incident': i.incident}, 3) AS examples -- of one agent and one number of attempts
    FROM incidents_in($from, $to, $agent, $operation, $category, $provider) AS i
    JOIN calendar AS c ON c.quarter = quarter_of(i.opened_at)
    LEFT JOIN struck AS s ON s.opening = i.opening AND i.opened_at >= s.from AND i.opened_at < s.to
    GROUP BY ALL
), candidates AS ( -- the first of those alike stands for all of them in what is counted
    SELECT * EXCLUDE (examples, n), unnest(examples) AS example, if(generate_subscripts(examples, 1) = 1, n, 0) AS n FROM alike
), incidents AS (
    SELECT o.agent, c.example.incident AS incident, coalesce(o.fingerprint, '') AS message_key, c.n, c.first_seen, c.last_seen,
        coalesce(o.code, '') AS code, o.taxonomy::VARCHAR AS taxonomy, o.category::VARCHAR AS category,
        coalesce(o.operation, '') AS operation, o.provider, o.model, o.source,
        if(o.cancelled, NULL, c.retries::VARCHAR) AS retries,
        strftime(c.day, '%Y-%m-%d') AS day, isodow(c.day)::VARCHAR AS weekday,
        if(c.human AND NOT o.cancelled, o.category::VARCHAR || ' ' || coalesce(o.operation, ''), NULL) AS human,
        if(o.hopeless AND c.lost, o.category::VARCHAR || ' ' || coalesce(o.operation, ''), NULL) AS wasted,
        if(list_contains(from_json($messages, '["VARCHAR"]'), o.fingerprint), o.fingerprint, NULL) AS message,
        if(list_contains(from_json($cells, '["VARCHAR"]'), concat_ws(chr(31), o.agent, o.operation, o.category)),
            concat_ws(chr(31), o.agent, o.operation, o.category), NULL) AS cell,
        c.outage,
        row_number() OVER (ORDER BY c.retries NULLS FIRST, c.example.opened_at, o.agent, c.example.incident) AS rank
    FROM candidates AS c
    JOIN openings_of('', '', '', '') AS o ON o.opening = c.opening
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
        message_key, sum(n)::BIGINT AS n, min(first_seen) AS first_seen, max(last_seen) AS last_seen, max(rank, 3) AS ranks
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
