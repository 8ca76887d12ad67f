-- Up to which position the rows [$begin, $end) of the events reach that are not
-- before $from; NULL when there are none. One row.
SELECT max(position) FROM events WHERE rowid >= $begin AND rowid < $end AND time >= $from;
