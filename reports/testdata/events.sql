-- Four months of incidents: January 2026 is full (the two rows of the first
-- table among 14 codes, an outage on the 14th, hostile texts), February has no
-- incident, April has one event, May only unknown ones.
CREATE TEMP MACRO moment(day, minute) AS TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_minutes(((day - 1) * 1440 + minute)::INTEGER);

-- API_FAILURE: 45 incidents, 5 of them cancelled; of 40, 36 passed: 90 %.
-- Retries: 16 took 1, 16 took 2, 8 took 3 (4 of those in vain): 72 / 40 = 1.8.
CREATE TEMP TABLE api AS
SELECT i, 'api-' || i AS incident,
    if(i <= 16, 1, if(i <= 32, 2, 3)) AS retries,
    i <= 36 AS passes,
    moment(if(i % 3 = 0, 14, 1 + (i * 7) % 29), 540 + i * 5) AS time,
    if(i % 4 = 0, 'summarize', 'search') AS operation,
    if(i % 5 = 0, 'claude-haiku', 'claude-sonnet') AS model
FROM range(1, 41) AS r(i);
INSERT INTO events BY NAME
SELECT incident || '-' || attempt AS id, time + to_seconds((attempt * 5)::INTEGER) AS time, kind,
    'agentskills' AS agent, operation, incident, if(kind = 'end', NULL, attempt) AS attempt,
    if(kind = 'failure', 'API_FAILURE', NULL) AS code, 'anthropic' AS provider, model, 'agentskills' AS source,
    if(kind = 'failure', 'transient', NULL) AS taxonomy, if(kind = 'failure', 'server_error', NULL) AS category, i AS position
FROM (
    SELECT *, CASE WHEN attempt = retries + 2 THEN 'end' WHEN attempt = retries + 1 AND passes THEN 'success' ELSE 'failure' END AS kind
    FROM api, range(1, 6) AS r(attempt)
    WHERE attempt <= retries + if(passes, 1, 2)
);

-- Everything else is one event and its ending, n times each.
CREATE TEMP TABLE kinds (n INTEGER, day INTEGER, agent VARCHAR, operation VARCHAR, code VARCHAR, taxonomy VARCHAR, category VARCHAR, resolution VARCHAR, attempt INTEGER, model VARCHAR);
INSERT INTO kinds VALUES
    (5, 20, 'agentskills', 'search', 'API_FAILURE', 'execution', 'cancelled', NULL, NULL, NULL),
    (15, 5, 'agentskills', 'load_template', 'FILE_NOT_FOUND', 'execution', 'missing_file', 'human', NULL, NULL),
    (6, 23, 'commandmate', 'load_template', 'FILE_NOT_FOUND', 'execution', 'missing_file', 'fallback', NULL, NULL),
    (1, 24, 'commandmate', 'load_template', 'FILE_NOT_FOUND', 'execution', 'missing_file', 'abandoned', NULL, NULL),
    (1, 25, 'commandmate', 'load_template', 'FILE_NOT_FOUND', 'execution', 'cancelled', NULL, NULL, NULL),
    (9, 14, 'monadic', 'chat', '429', 'transient', 'rate_limit', 'retried', 4, 'gpt-5'),
    (3, 15, 'monadic', 'chat', '429', 'transient', 'rate_limit', 'stopped', 6, 'gpt-5'),
    (3, 8, 'openstarry', 'login', 'AUTH_401', 'execution', 'auth', 'abandoned', 3, NULL),
    (4, 9, 'openstarry', NULL, NULL, 'unknown', 'unknown', NULL, NULL, NULL),
    (1, 27, 'openstarry', 'train', 'OUT_OF_MEMORY', 'fatal', 'resource', 'terminated', 1, NULL),
    (2, 28, 'recovery', 'review', 'REVIEW_FAILURE_MAX_RETRIES', 'execution', 'quality_gate', 'partial', 13, NULL),
    -- hostile texts
    (1, 10, 'recovery', '<b>bold</b>', '<script>alert("x")</script>', 'execution', 'validation', 'retried', 2, '"quoted" ''model'''),
    (1, 10, 'a|b', '`tick` *star* _under_', 'PIPE|AND\|ESCAPE', 'execution', 'validation', NULL, NULL, NULL),
    (1, 11, 'a.b*c>日本', 'line one' || chr(10) || 'line two', 'LINE1' || chr(13) || chr(10) || 'LINE2', 'execution', 'validation', NULL, NULL, NULL),
    (1, 12, 'recovery', 'review', 'gpj' || chr(8238) || 'exe.SHOUT', 'execution', 'file_io', NULL, NULL, NULL),
    (1, 12, 'recovery', 'مراجعة', 'خطأ_في_الملف', 'execution', 'file_io', NULL, NULL, NULL),
    (1, 16, 'recovery', 'review', repeat('LONG', 2500) || 'END', 'execution', 'code_error', 'skipped', NULL, NULL),
    (1, 17, 'recovery', 'javascript:alert(1)', '=HYPERLINK("http://a.example","x")', 'execution', 'code_error', 'skipped', NULL, NULL),
    (1, 18, '@agent', '[link](javascript:alert(1))', '{{.Code}} ${x} {b} $1 https://a.example www.a.example', 'execution', 'code_error', 'skipped', NULL, NULL),
    (1, 31, '+agent', '-1', '# __init__', 'execution', 'code_error', 'skipped', NULL, NULL),
    -- of a source that shows no recoveries
    (7, 13, 'terminal', 'send_prompt', 'BANNER', 'transient', 'rate_limit', NULL, NULL, NULL),
    -- the other months
    (1, 95, 'agentskills', 'search', 'API_FAILURE', 'transient', 'server_error', NULL, 1, NULL),
    (12, 125, 'openstarry', 'run', NULL, 'unknown', 'unknown', NULL, NULL, NULL);
INSERT INTO events BY NAME
SELECT 'k' || day || agent || i || coalesce(resolution, '') || coalesce(category, '') || coalesce(md5(code), '') AS id, moment(day, 600 + i * 11) AS time, 'failure' AS kind, agent, operation,
    code, resolution, attempt, taxonomy, category, model, if(agent = 'commandmate', 'logs', agent) AS source, 1 AS position
FROM kinds, range(kinds.n) AS r(i);

-- December: fewer incidents, spread over its days, and a source that falls
-- silent after it.
INSERT INTO events BY NAME
SELECT 'dec' || code || i AS id, moment(-30 + (i * 7) % 29, 600 + i) AS time, 'failure' AS kind, agent, operation, code, resolution, attempt,
    taxonomy, category, agent AS source, 1 AS position
FROM (VALUES
    (20, 'agentskills', 'search', 'API_FAILURE', 'transient', 'server_error', 'retried', 2),
    (8, 'agentskills', 'search', 'FILE_NOT_FOUND', 'execution', 'missing_file', 'human', NULL),
    (11, 'codex', 'apply_patch', 'PATCH', 'execution', 'validation', 'retried', 2)
) AS december (n, agent, operation, code, taxonomy, category, resolution, attempt), range(december.n) AS r(i);

INSERT INTO sources VALUES ('terminal', false, true, false), ('codex', true, true, true);

-- An outage of one provider on the 14th: three agents in one hour, and before it
-- a usual incident on each of eight days.
INSERT INTO events BY NAME
SELECT 'out-' || i AS id, moment(if(i < 8, 3 + i, 14), 15 * 60 + i) AS time, 'failure' AS kind,
    ['agentskills', 'monadic', 'openstarry'][1 + i % 3] AS agent, 'embed' AS operation, '503' AS code, 'acme' AS provider, 'acme-1' AS model,
    'hansei' AS source, 'transient' AS taxonomy, 'server_error' AS category, 'fallback' AS resolution, 1 AS attempt, 2 AS position
FROM range(22) AS r(i);

-- What each failure says, and the fingerprint that the classifier would give it;
-- hostile codes make hostile messages. What is retryable is as the taxonomy has it.
UPDATE events SET message = code || ' in ' || coalesce(operation, 'nothing'),
    fingerprint = 'f1:' || left(md5(concat(code, operation)), 16),
    retryable = category IN ('rate_limit', 'network', 'server_error', 'timeout', 'malformed_output', 'quality_gate')
WHERE kind = 'failure';

-- February: an event, but no incident.
INSERT INTO events BY NAME
SELECT 'feb' AS id, moment(40, 600) AS time, 'success' AS kind, 'agentskills' AS agent, 'agentskills' AS source, 1 AS position;

-- Books that balance, with two events in quarantine and three deduplicated in
-- January, and five that were never stored in June.
INSERT INTO books SELECT date_trunc('hour', time), source, count(*), count(*), 0, 0, 0 FROM events GROUP BY ALL;
INSERT INTO books VALUES (moment(2, 0), 'logs', 5, 0, 3, 2, 0), (moment(160, 0), 'logs', 1005, 1000, 0, 0, 0);

-- What is in quarantine: two of one kind, one with hostile text.
INSERT INTO quarantine VALUES
    ('q-1', moment(2, 1), moment(2, 0), 'logs', 'hansei.v1.event.x', 'errors.jsonl:3', 'attempt: a JSON string (many), want an integer',
        '{"attempt": "many", "message": "<script>alert(1)</script> [x](javascript:alert(1))"}', 900),
    ('q-2', moment(2, 2), moment(2, 0), 'logs', 'hansei.v1.event.x', 'errors.jsonl:9', 'attempt: a JSON string (few), want an integer',
        '{"attempt": "few"}', 901);
