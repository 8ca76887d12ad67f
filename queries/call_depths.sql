-- How many calls the turns of [$from, $to) made, as far as events carry the
-- attribute call_depth, whether a limit of the run cut them off, and from when to
-- when there were such; by agent, depth and outcome. A turn whose events carry none has depth 0; of
-- more than a million calls, the most attempts that an event may count, none is
-- believed. The two kinds of events are looked for apart: one filter of both reads
-- every row.
WITH told AS (
    SELECT agent, session, turn, time, try_cast(attrs ->> '$.call_depth' AS BIGINT) AS depth, false AS cut
    FROM events
    WHERE time >= $from AND time < $to AND session IS NOT NULL AND attrs LIKE '%"call_depth"%'
    UNION ALL
    SELECT agent, session, turn, time, NULL AS depth, true AS cut
    FROM events
    WHERE time >= $from AND time < $to AND session IS NOT NULL AND category = 'loop_limit' AND kind = 'failure'
), turns AS (
    SELECT agent, session, turn, max(depth) FILTER (depth <= 1_000_000) AS depth, bool_or(cut) AS cut, max(time) AS ended
    FROM told
    GROUP BY ALL
)
SELECT agent, NOT cut AS passed, greatest(coalesce(depth, 0), 0) AS depth, count(*) AS turns, min(ended) AS first, max(ended) AS last
FROM turns
GROUP BY ALL
ORDER BY agent, depth, passed;
