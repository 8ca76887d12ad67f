package queries

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hansei/queries/golden"
)

func TestLedgerSources(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	// bot has a day of everything, log a day on which all was stored and one of its
	// events that nobody booked, and a file only bad input, of three kinds.
	if err := run(t.Context(), db, `
		DELETE FROM books;
		INSERT INTO books SELECT date_trunc('hour', time), source, count(*), count(*), 0, 0, 0 FROM events WHERE source <> 'log' OR time < '2026-01-09' GROUP BY ALL;
		INSERT INTO books VALUES ('2026-01-20 15:00:00+00', 'bot', 9, 4, 3, 1, 1), ('2026-01-20 16:00:00+00', 'file', 7, 0, 0, 7, 0);
		INSERT INTO quarantine
			SELECT 'q' || i, '2026-01-20 16:30:00+00', '2026-01-20 16:00:00+00', 'file', 'hansei.v1.event.x', 'f.jsonl:' || i,
				CASE WHEN i < 4 THEN 'attempt: a JSON string (' || i || '), want an integer' WHEN i < 6 THEN 'not JSON: offset ' || i ELSE 'time: missing' END,
				'{"n": ' || i || '}', i
			FROM range(7) AS r(i)`); err != nil {
		t.Fatal(err)
	}
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	span := january
	span.Location = tokyo // the books of the 20th at 15:00 are of its 21st
	sources, err := LedgerSources(t.Context(), db, span)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := QuarantineKinds(t.Context(), db, span)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "sources\n%s\nkinds\n%s", lines(sources), lines(kinds))
	golden.Check(t, "ledger_sources", b.String())
	all, err := Books(t.Context(), db, span)
	if err != nil {
		t.Fatal(err)
	}
	var sum Ledger
	for _, s := range sources {
		if s.Day == "" {
			sum.Published += s.Published
			sum.Stored += s.Stored
			sum.Deduplicated += s.Deduplicated
			sum.Quarantined += s.Quarantined
			sum.Expired += s.Expired
			sum.Rows += s.Rows
		}
	}
	if all.Aside != 7 {
		t.Errorf("%d pieces of bad input are kept aside, want 7", all.Aside)
	}
	all.Aside = 0 // told of the whole alone
	if sum != all {
		t.Errorf("the sources come to %+v, the books to %+v", sum, all)
	}
}
