-- The stored failures in [$from, $to) with what rules look at, in the order of
-- arrival; of one category only when $category is not empty.
SELECT id, coalesce(operation, ''), coalesce(code, ''), coalesce(status, ''), coalesce(message, ''), coalesce(detail, ''),
    coalesce(attrs, '{}'), coalesce(category::VARCHAR, ''), coalesce(rule, ''), coalesce(fingerprint, '')
FROM events
WHERE kind = 'failure' AND time >= $from AND time < $to AND ($category = '' OR category::VARCHAR = $category)
ORDER BY position, id;
