-- Keeps some chains of a day.
INSERT INTO chains VALUES ($day, $form, $chains);
