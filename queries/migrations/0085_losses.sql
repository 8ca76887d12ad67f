-- What a stream lost before it was stored, as far as it was noticed. Those with
-- a number of messages are in the books too, as published and expired of source
-- '', but for kind start: whether they were ever to be stored nobody knows.
CREATE TABLE losses (
    noticed TIMESTAMPTZ NOT NULL,
    since TIMESTAMPTZ NOT NULL, -- the latest event that was stored before, or noticed
    kind VARCHAR NOT NULL, -- gap: between two messages; end: of the stream; anew: all of a stream that was made anew; start: what came before the first message of a new store
    created TIMESTAMPTZ NOT NULL, -- of the stream
    behind UBIGINT NOT NULL, -- the last message before it
    messages UBIGINT, -- NULL: nobody knows how many
    damaged UBIGINT NOT NULL -- bytes that the stream's server could not read, when it was noticed
);

INSERT INTO losses SELECT hour, hour, 'gap', hour, 0, expired, 0 FROM books WHERE source = '' AND expired > 0;
