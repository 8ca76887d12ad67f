-- The tuner's suggestions as they were made, a row each: what they were learnt
-- from, and by when to decide. The table was empty until here.
ALTER TABLE suggestions ADD COLUMN span_from TIMESTAMPTZ;
ALTER TABLE suggestions ADD COLUMN span_to TIMESTAMPTZ;
ALTER TABLE suggestions ADD COLUMN due TIMESTAMPTZ;
