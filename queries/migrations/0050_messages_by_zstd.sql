-- Messages in blocks of zstd: they are the largest column, seldom alike and read
-- by few questions; it halves them. A column's compression cannot be changed, so
-- the tables are written anew, row group by row group.
CREATE TABLE events_packed (
    id VARCHAR NOT NULL,
    time TIMESTAMPTZ NOT NULL,
    kind kind NOT NULL,
    agent VARCHAR NOT NULL,
    session VARCHAR,
    turn BIGINT,
    operation VARCHAR,
    step VARCHAR,
    component VARCHAR,
    args_hash VARCHAR,
    incident VARCHAR,
    attempt BIGINT,
    max_retries BIGINT,
    wait_ms BIGINT,
    duration_ms BIGINT,
    code VARCHAR,
    status VARCHAR,
    message VARCHAR USING COMPRESSION zstd,
    detail VARCHAR,
    resolution resolution,
    resolution_text VARCHAR, -- the free text that resolution was made from
    score DOUBLE,
    score_bar DOUBLE,
    score_name VARCHAR,
    provider VARCHAR,
    model VARCHAR,
    tokens BIGINT,
    cost_usd DOUBLE,
    trace_id VARCHAR,
    source VARCHAR NOT NULL,
    taxonomy taxonomy,
    category category,
    retryable BOOLEAN,
    rule VARCHAR,
    fingerprint VARCHAR,
    position UBIGINT NOT NULL, -- base of its stream in offsets + sequence in the stream
    attrs VARCHAR -- the text of a JSON object
);
INSERT INTO events_packed BY NAME SELECT * FROM events;
DROP TABLE events;
ALTER TABLE events_packed RENAME TO events;

CREATE TABLE incidents_packed (
    agent VARCHAR NOT NULL,
    incident VARCHAR NOT NULL,
    session VARCHAR,
    operation VARCHAR,
    step VARCHAR,
    source VARCHAR,
    code VARCHAR,
    status VARCHAR,
    message VARCHAR USING COMPRESSION zstd,
    provider VARCHAR,
    model VARCHAR,
    taxonomy taxonomy,
    category category,
    retryable BOOLEAN,
    fingerprint VARCHAR,
    opened_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ,
    attempts BIGINT,
    max_retries BIGINT,
    closed_by kind,
    closing_attempt BIGINT,
    failed_attempts BIGINT,
    resolution resolution NOT NULL,
    events BIGINT NOT NULL,
    failures BIGINT NOT NULL, -- 0: only successes so far, no incident yet
    wait_ms BIGINT,
    duration_ms BIGINT,
    tokens BIGINT,
    cost_usd DOUBLE,
    first_position UBIGINT NOT NULL -- of its events
);
INSERT INTO incidents_packed BY NAME SELECT * FROM incidents;
DROP TABLE incidents;
ALTER TABLE incidents_packed RENAME TO incidents;
