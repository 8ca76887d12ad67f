-- What the tuner reads of the incidents that opened on a day, put together
-- once: their attempts lie scattered among the events. A row goes as soon as an
-- incident of its day is made anew. It is empty at first, and filled when the
-- tuner is asked. See ../chains/.
CREATE TABLE chains (
    day BIGINT NOT NULL, -- since 1970, UTC
    form BIGINT NOT NULL, -- of chains, as package analyze numbers it
    chains BLOB NOT NULL -- some of those of the day; empty: there are none
);
