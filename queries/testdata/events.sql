-- Incidents of every shape around January 2026; what each is for stands on its line.
INSERT INTO events BY NAME
SELECT * EXCLUDE (time, category), time::TIMESTAMPTZ AS time, category,
    CASE category WHEN 'rate_limit' THEN 'transient' WHEN 'unknown' THEN 'unknown' ELSE if(category IS NULL, NULL, 'execution') END AS taxonomy,
    agent AS source, if(category IS NULL, NULL, category = 'rate_limit') AS retryable, 1 AS position
FROM (VALUES
    -- two retries, then it passed
    ('a1', '2026-01-03 10:00:00+00', 'failure', 'bot', 'fetch', 'A', 1, '429', 'rate_limit', NULL, 'm1'),
    ('a2', '2026-01-03 10:00:05+00', 'failure', 'bot', 'fetch', 'A', 2, '429', 'rate_limit', NULL, 'm1'),
    ('a3', '2026-01-03 10:00:20+00', 'success', 'bot', 'fetch', 'A', 3, NULL, NULL, NULL, 'm1'),
    -- passed with another model: a fallback
    ('b1', '2026-01-04 10:00:00+00', 'failure', 'bot', 'fetch', 'B', 1, '429', 'rate_limit', NULL, 'm1'),
    ('b2', '2026-01-04 10:00:05+00', 'success', 'bot', 'fetch', 'B', 2, NULL, NULL, NULL, 'm2'),
    -- gave up
    ('c1', '2026-01-05 10:00:00+00', 'failure', 'bot', 'save', 'C', 1, 'EACCES', 'permission', NULL, NULL),
    ('c2', '2026-01-05 10:00:01+00', 'end', 'bot', 'save', 'C', NULL, NULL, NULL, NULL, NULL),
    -- opened in January, resolved in February: January's rate
    ('d1', '2026-01-31 23:59:00+00', 'failure', 'bot', 'save', 'D', NULL, 'EACCES', 'permission', NULL, NULL),
    ('d2', '2026-02-01 00:10:00+00', 'success', 'bot', 'save', 'D', NULL, NULL, NULL, 'human', NULL),
    -- of its own, open
    ('e1', '2026-01-06 10:00:00+00', 'failure', 'log', NULL, NULL, NULL, NULL, 'unknown', NULL, NULL),
    -- cancelled by the user
    ('f1', '2026-01-07 10:00:00+00', 'failure', 'log', 'run', NULL, NULL, 'ABORT', 'cancelled', NULL, NULL),
    -- a success without failures is no incident
    ('g1', '2026-01-08 10:00:00+00', 'success', 'log', 'run', 'G', 1, NULL, NULL, NULL, NULL),
    -- same incident name of another agent is another incident
    ('h1', '2026-01-09 10:00:00+00', 'failure', 'log', 'run', 'A', 4, 'ABORT', 'validation', 'skipped', NULL),
    -- passed after the history was compressed
    ('j1', '2026-01-11 10:00:00+00', 'failure', 'log', 'run', 'J', 1, 'LONG', 'context_length', NULL, 'm1'),
    ('j2', '2026-01-11 10:00:01+00', 'failure', 'log', 'run', 'J', 2, 'LONG', 'context_length', 'compressed', 'm1'),
    ('j3', '2026-01-11 10:00:09+00', 'success', 'log', 'run', 'J', 3, NULL, NULL, NULL, 'm1'),
    -- two failures at one time: attempt decides what opened it
    ('i2', '2026-01-10 10:00:00+00', 'failure', 'log', 'run', 'I', 2, 'SECOND', 'validation', NULL, NULL),
    ('i1', '2026-01-10 10:00:00+00', 'failure', 'log', 'run', 'I', 1, 'FIRST', 'validation', NULL, NULL)
) AS sample (id, time, kind, agent, operation, incident, attempt, code, category, resolution, model);
INSERT INTO books VALUES ('2026-01-03 10:00:00+00', 'bot', 19, 17, 1, 1, 0), ('2026-02-01 00:00:00+00', 'bot', 1, 1, 0, 0, 0);
