-- Counts the incidents of the touched days anew, which lie in [$from, $to).
INSERT INTO incidents_daily BY NAME
SELECT * FROM counted_daily($from::TIMESTAMPTZ, $to::TIMESTAMPTZ) SEMI JOIN touched_days USING (day);
