-- An agent that tells all its calls, with how deep they are in their turn, and
-- one that tells its failures only.
INSERT INTO events BY NAME
SELECT id, time::TIMESTAMPTZ AS time, kind, agent, operation, session, turn, attempt, wait_ms, duration_ms, category,
    agent AS source, 1 AS position, if(depth IS NULL, NULL, '{"call_depth":"' || depth || '"}') AS attrs
FROM (VALUES
    ('a1', '2026-01-03 10:00:00+00', 'success', 'all', 'fetch', 's', 1, 1, NULL, 500, NULL, '1'),
    ('a2', '2026-01-03 10:01:00+00', 'success', 'all', 'fetch', 's', 1, 1, NULL, 500, NULL, '2'),
    ('a3', '2026-01-03 10:02:00+00', 'failure', 'all', 'fetch', 's', 1, 1, NULL, 500, 'network', '3'),
    ('a4', '2026-01-03 10:03:00+00', 'failure', 'all', 'fetch', 's', 1, 2, 1000, 500, 'network', '4'),
    ('a5', '2026-01-03 11:00:00+00', 'success', 'all', 'fetch', 's', 1, 3, 2000, -5, NULL, '5'),
    -- its limit cut this turn off; the depth is no number once, and once none that can be
    ('b1', '2026-01-04 10:00:00+00', 'success', 'all', 'fetch', 's', 2, 1, NULL, 500, NULL, '19'),
    ('b2', '2026-01-04 10:00:01+00', 'failure', 'all', 'fetch', 's', 2, 1, NULL, 500, 'loop_limit', '20'),
    ('b4', '2026-01-04 10:00:01+00', 'end', 'all', 'fetch', 's', 2, NULL, NULL, 500, NULL, '9223372036854775807'),
    ('b3', '2026-01-04 10:00:02+00', 'end', 'all', 'fetch', 's', 2, 1, NULL, 500, NULL, 'deep'),
    -- most of the first tries of this operation failed: its passes are not all told
    ('c1', '2026-01-05 10:00:00+00', 'failure', 'all', 'save', 's', 3, 1, NULL, 500, 'network', NULL),
    ('c2', '2026-01-05 10:00:01+00', 'failure', 'all', 'save', 's', 3, 2, NULL, 500, 'network', NULL),
    ('d1', '2026-01-05 10:00:00+00', 'failure', 'log', 'save', 't', 1, 1, NULL, 500, 'network', NULL),
    ('d2', '2026-01-05 10:00:01+00', 'failure', 'log', 'save', 't', 1, 2, NULL, 500, 'network', NULL),
    ('d3', '2026-01-05 10:00:02+00', 'failure', 'log', 'save', 't', 1, 3, NULL, 500, 'loop_limit', NULL)
) AS e (id, time, kind, agent, operation, session, turn, attempt, wait_ms, duration_ms, category, depth);
