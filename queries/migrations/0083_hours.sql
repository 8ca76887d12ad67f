-- The hour in which a moment lies, of UTC since 1970.
CREATE MACRO hour_of(moment) AS stretch_of(moment, 3_600_000_000);
