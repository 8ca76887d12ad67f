-- What a file holds, in the order of events.sql.
CREATE OR REPLACE TABLE exported (
    id VARCHAR, time TIMESTAMPTZ, kind VARCHAR, agent VARCHAR, session VARCHAR, turn BIGINT, operation VARCHAR, step VARCHAR,
    component VARCHAR, args_hash VARCHAR, incident VARCHAR, attempt BIGINT, max_retries BIGINT, wait_ms BIGINT, duration_ms BIGINT,
    code VARCHAR, status VARCHAR, message VARCHAR, detail VARCHAR, resolution VARCHAR, resolution_text VARCHAR,
    score DOUBLE, score_bar DOUBLE, score_name VARCHAR, provider VARCHAR, model VARCHAR, tokens BIGINT, cost_usd DOUBLE,
    trace_id VARCHAR, source VARCHAR, attrs VARCHAR, taxonomy VARCHAR, category VARCHAR, retryable BOOLEAN, rule VARCHAR, fingerprint VARCHAR
);
