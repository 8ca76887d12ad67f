-- Sums up the touched incidents from all their events, of which none lies before
-- position $low, and finds which of them tells what opened one, and which how it
-- ended: its first failure and its latest outcome. Events of one time are
-- ordered by attempt, then id, so that the order of arrival never changes an
-- answer. A failure after the latest outcome does not open it again: only
-- another outcome says otherwise. Events from before numbers had believable limits
-- count no attempt above a million, as in package ingest, and no sum here or
-- elsewhere goes beyond 2^53-1: what programs read exactly, and a thousandth of
-- what a BIGINT holds.
CREATE OR REPLACE TEMP TABLE made AS
SELECT t.agent, t.incident,
    min(time) AS opened_at,
    max(time) FILTER (kind <> 'failure' OR resolution IS NOT NULL) AS closed_at,
    arg_min(e.rowid, {'time': time, 'attempt': coalesce(attempt, 0), 'id': id}) FILTER (kind = 'failure') AS opening_row,
    arg_max(e.rowid, {'time': time, 'attempt': coalesce(attempt, 0), 'id': id}) FILTER (kind <> 'failure' OR resolution IS NOT NULL) AS closing_row,
    if(max(attempt) > 1_000_000, 1_000_000, max(attempt)) AS attempts,
    max(attempt) FILTER (kind = 'failure') AS failed_attempts,
    max(max_retries) AS max_retries,
    coalesce(bool_or(resolution = 'compressed'), false) AS compressed,
    count(*) AS events,
    count(*) FILTER (kind = 'failure') AS failures,
    if(sum(wait_ms) > 9007199254740991, 9007199254740991, sum(wait_ms))::BIGINT AS wait_ms,
    if(sum(duration_ms) > 9007199254740991, 9007199254740991, sum(duration_ms))::BIGINT AS duration_ms,
    if(sum(tokens) > 9007199254740991, 9007199254740991, sum(tokens))::BIGINT AS tokens,
    sum(cost_usd) AS cost_usd,
    min(position) AS first_position
FROM events AS e
JOIN touched AS t ON t.agent = e.agent AND t.incident = coalesce(e.incident, e.id)
WHERE e.position >= $low::UBIGINT
GROUP BY t.agent, t.incident;
