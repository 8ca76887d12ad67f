-- Counts the incidents of the touched days anew, which lie in [$from, $to). Sums
-- of retries are those of make.sql.
INSERT INTO incidents_daily BY NAME
SELECT day_of(opened_at) AS day, opening,
    count(*) AS incidents, count(*) FILTER (resolved) AS resolved, count(*) FILTER (resolution = 'open') AS open,
    if(sum(retries) > 9007199254740991, 9007199254740991, sum(retries))::BIGINT AS retries,
    count(retries) AS with_attempts,
    if(sum(retries) FILTER (lost) > 9007199254740991, 9007199254740991, sum(retries) FILTER (lost))::BIGINT AS retries_lost,
    min(opened_at) AS first_opened, max(opened_at) AS last_opened
FROM numbered_incidents() SEMI JOIN touched_days ON day = day_of(opened_at)
WHERE opened_at >= $from::TIMESTAMPTZ AND opened_at < $to::TIMESTAMPTZ
GROUP BY ALL;
