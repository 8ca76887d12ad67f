-- The names among which incidents that opened in [$from, $to) can be chosen:
-- at most 500 agents, operations and providers, by kind and name.
WITH opened AS (
    SELECT DISTINCT opening FROM numbered_incidents() WHERE opened_at >= $from AND opened_at < $to
), named AS (
    SELECT
        CASE WHEN grouping(agent) = 0 THEN 'agent' WHEN grouping(operation) = 0 THEN 'operation' ELSE 'provider' END AS kind,
        coalesce(agent, operation, provider) AS name
    FROM opened JOIN openings USING (opening)
    GROUP BY GROUPING SETS ((agent), (operation), (provider))
)
SELECT kind, name
FROM named
WHERE name IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY kind ORDER BY name) <= 500
ORDER BY kind, name;
