-- The sums of the incidents that opened in [$from, $to) and pass the filter and
-- $code ('' lets every code pass), for a goal. Retried are those of the rated
-- that made a retry, and won those of them that a retry resolved. Squares as in
-- totals.sql. One row.
SELECT
    count(*) AS incidents,
    count(*) FILTER (rated) AS rated,
    count(*) FILTER (resolved AND rated) AS resolved,
    count(*) FILTER (resolution = 'open' AND NOT cancelled) AS open,
    count(*) FILTER (rated AND retries > 0) AS retried,
    count(*) FILTER (rated AND retries > 0 AND resolved) AS won,
    count(retries) AS with_attempts,
    least(coalesce(sum(retries), 0), 9007199254740991)::BIGINT AS retries,
    least(coalesce(sum(retries::HUGEINT * retries), 0), 9223372036854775807)::BIGINT AS retries_squares,
    least(coalesce(sum(retries) FILTER (hopeless AND lost), 0), 9007199254740991)::BIGINT AS wasted
FROM incidents_in($from, $to, $agent, $operation, $category, $provider)
WHERE $code IN ('', code);
