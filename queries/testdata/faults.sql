-- Incidents of four faults around March 2026; what each is for stands on its line.
INSERT INTO events BY NAME
SELECT * EXCLUDE (time, category), time::TIMESTAMPTZ AS time, category, 'transient' AS taxonomy, 'hansei' AS source,
    '{"version": "2.1"}' AS attrs, row_number() OVER () AS position
FROM (VALUES
    -- known: seen in February and March
    ('k1', '2026-02-20 10:00:00+00', 'failure', 'bot', 'fetch', NULL, NULL, '429', 'rate_limit', 'Too many requests', 'f-known', 'openai'),
    ('k2', '2026-03-02 10:00:00+00', 'failure', 'bot', 'fetch', 'K', 1, '429', 'rate_limit', 'Too Many requests: 30 s', 'f-known', 'openai'),
    ('k3', '2026-03-02 10:00:30+00', 'success', 'bot', 'fetch', 'K', 2, NULL, NULL, NULL, NULL, 'openai'),
    ('k4', '2026-03-02 10:00:00+00', 'failure', 'ant', 'fetch', NULL, NULL, '429', 'rate_limit', 'Too many requests', 'f-known', NULL),
    -- returned: away for 30 days and more
    ('r1', '2026-01-01 10:00:00+00', 'failure', 'bot', 'save', NULL, NULL, 'ECONNRESET', 'network', 'socket 100% gone', 'f-back', NULL),
    ('r2', '2026-03-05 10:00:00+00', 'failure', 'bot', 'save', NULL, NULL, 'ECONNRESET', 'network', 'socket 100% gone', 'f-back', NULL),
    -- new, and ended without success
    ('n1', '2026-03-06 10:00:00+00', 'failure', 'bot', NULL, 'N', 1, NULL, 'timeout', 'timed out', 'f-new', NULL),
    ('n2', '2026-03-06 10:00:05+00', 'end', 'bot', NULL, 'N', NULL, NULL, NULL, NULL, NULL, NULL),
    -- not in March
    ('o1', '2026-04-01 00:00:00+00', 'failure', 'bot', 'fetch', NULL, NULL, NULL, 'timeout', 'timed out', 'f-april', NULL)
) AS sample (id, time, kind, agent, operation, incident, attempt, code, category, message, fingerprint, provider);
INSERT INTO books VALUES ('2026-03-02 10:00:00+00', 'old', 2, 1, 1, 0, 0), ('2026-04-01 00:00:00+00', 'hansei', 10, 9, 0, 1, 0);
