-- Takes $pieces of quarantined input out of the books of $hour and $source, as if
-- they had never been published: the messages that stand for them are booked.
UPDATE books SET published = published - $pieces::UBIGINT, quarantined = quarantined - $pieces::UBIGINT
WHERE hour = $hour AND source = $source;
