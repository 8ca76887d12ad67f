-- The names of all incidents that are stored which are most like those of the
-- filter: five of each kind that the filter names, by kind and likeness. Known:
-- whether it is the very name.
WITH named AS (
    SELECT DISTINCT kind, name, asked
    FROM (
        SELECT unnest([
            {kind: 'agent', name: agent, asked: $agent},
            {kind: 'operation', name: operation, asked: $operation},
            {kind: 'category', name: category::VARCHAR, asked: $category},
            {kind: 'provider', name: provider, asked: $provider}
        ], recursive := true)
        FROM openings
    )
    WHERE asked <> '' AND name <> ''
)
SELECT kind, name, name = asked AS known
FROM named
QUALIFY row_number() OVER (PARTITION BY kind ORDER BY name = asked DESC, jaro_winkler_similarity(lower(name), lower(asked)) DESC, name) <= 5
ORDER BY kind, known DESC, jaro_winkler_similarity(lower(name), lower(asked)) DESC, name;
