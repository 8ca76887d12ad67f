-- Notes up to which position incidents tell of the events.
UPDATE incidents_upto SET position = $bound;
