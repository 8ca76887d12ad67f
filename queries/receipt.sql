-- What the store kept of the positions from $first to $last. One row.
SELECT
    (SELECT count(*) FROM events WHERE position BETWEEN $first AND $last) AS stored,
    (SELECT count(*) FROM quarantine WHERE position BETWEEN $first AND $last) AS quarantined;
