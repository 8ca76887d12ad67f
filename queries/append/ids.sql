-- The ids of all events, in no order.
SELECT id FROM events;
