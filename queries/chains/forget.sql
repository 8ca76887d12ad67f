-- Forgets the chains of a day.
DELETE FROM chains WHERE day = $day;
