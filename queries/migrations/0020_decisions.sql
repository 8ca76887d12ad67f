-- What people decided of the tuner's suggestions, and each change of a policy.
CREATE TABLE decisions (
    id VARCHAR NOT NULL, -- of the suggestion
    made TIMESTAMPTZ NOT NULL,
    decision VARCHAR NOT NULL, -- accepted, dismissed or applied
    who VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    body VARCHAR NOT NULL -- the suggestion as tune printed it in JSON
);
ALTER TABLE policies ADD COLUMN who VARCHAR;
ALTER TABLE policies ADD COLUMN suggestion VARCHAR; -- the id of the one that it follows
ALTER TABLE policies ADD COLUMN setting VARCHAR; -- the value as the file writes it
ALTER TABLE policies ADD COLUMN previous VARCHAR; -- the setting before; NULL: none
