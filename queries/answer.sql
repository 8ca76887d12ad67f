-- The answer to a user's statement; an error where it has more than $rows rows or
-- $bytes bytes. The statement, its columns and the bytes of a row take the place
-- of the three names that begin with "its". What is beyond the bounds is not made:
-- DuckDB keeps the whole answer, beside its memory limit, before it hands it over.
SELECT its_columns
FROM (
    SELECT *, row_number() OVER () AS hansei_row, sum(its_bytes) OVER (ROWS UNBOUNDED PRECEDING) AS hansei_bytes
    FROM (
        SELECT * FROM (
its_statement
        ) AS hansei_answer (its_columns)
        LIMIT $rows::BIGINT + 1
    )
)
WHERE CASE
    WHEN hansei_row > $rows THEN error('the answer has more than ' || $rows || ' rows')
    WHEN hansei_bytes > $bytes THEN error('the answer has more than ' || $bytes // 1_048_576 || ' MiB')
    ELSE true
END;
