-- What a store may hold from before numbers had limits, in January 2026: the
-- largest integer 1,100 times in each field that is summed up. 1,024 of them fit
-- a BIGINT.
CREATE TEMP MACRO moment(i) AS TIMESTAMPTZ '2026-01-05 00:00:00+00' + to_minutes((i * 20)::INTEGER);
CREATE TEMP MACRO largest() AS 9007199254740991;

-- An incident that waited for ever, 1,100 times.
INSERT INTO events BY NAME
SELECT 'w' || i AS id, moment(i) AS time, 'failure' AS kind, 'ov' AS agent, 'wait' AS operation, 'W' AS incident, i AS attempt, 'WAIT' AS code,
    largest() AS wait_ms, largest() AS duration_ms, largest() AS tokens, 1.7e308 AS cost_usd, 1.7e308 AS score, -1.7e308 AS score_bar,
    'ov' AS source, 'transient' AS taxonomy, 'rate_limit' AS category, true AS retryable, i AS position
FROM range(1, 1101) AS r(i);

-- 1,100 incidents of so many attempts, all in vain until a person helped.
INSERT INTO events BY NAME
SELECT 'a' || i AS id, moment(i) AS time, 'failure' AS kind, 'ov' AS agent, 'log in' AS operation, 'A' || i AS incident, largest() AS attempt,
    'human' AS resolution, 'AUTH' AS code, largest() AS wait_ms, largest() AS tokens,
    'ov' AS source, 'execution' AS taxonomy, 'auth' AS category, false AS retryable, 2000 + i AS position
FROM range(1, 1101) AS r(i);

-- An operation that passes, and its retries.
INSERT INTO events BY NAME
SELECT 'p' || i AS id, moment(i % 12) AS time, 'success' AS kind, 'ov' AS agent, 'call' AS operation, 'P' || i AS incident, if(i % 2 = 0, 2, 1) AS attempt,
    largest() AS wait_ms, largest() AS duration_ms, 'ov' AS source, 4000 + i AS position
FROM range(1, 4401) AS r(i);
