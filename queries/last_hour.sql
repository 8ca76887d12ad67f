-- The hour of the latest stored event, as the books tell; NULL when there is none. One row.
SELECT max(hour) FILTER (stored > 0) FROM books;
