-- How many calls the turns of [$from, $to) made, as far as events carry the
-- attribute call_depth, and whether a limit of the run cut them off; by
-- agent, depth and outcome. A turn whose events carry none has depth 0.
WITH turns AS (
    SELECT agent, session, turn,
        max(try_cast(attrs ->> '$.call_depth' AS BIGINT)) AS depth,
        bool_or(kind = 'failure' AND category = 'loop_limit') AS cut
    FROM events
    WHERE time >= $from AND time < $to AND session IS NOT NULL
        AND (attrs LIKE '%"call_depth"%' OR category = 'loop_limit')
    GROUP BY ALL
)
SELECT agent, NOT cut AS passed, greatest(coalesce(depth, 0), 0) AS depth, count(*) AS turns
FROM turns
GROUP BY ALL
ORDER BY agent, depth, passed;
