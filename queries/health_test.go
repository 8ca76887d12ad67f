package queries

import (
	"testing"
	"time"
)

// Books that count what is there are whole; pages that differ from the events,
// that no event belongs to, that are missing and that do not add up are counted.
func TestStoreHealth(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	health := func() Health {
		t.Helper()
		h, err := StoreHealth(t.Context(), db, now)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	book := func(statement string) {
		t.Helper()
		if err := run(t.Context(), db, statement); err != nil {
			t.Fatal(err)
		}
	}
	book(`DELETE FROM books`)
	book(`INSERT INTO books SELECT date_trunc('hour', time), source, count(*), count(*), 0, 0, 0 FROM events GROUP BY ALL`)
	whole := health()
	if whole.Events == 0 || whole.Off != 0 || whole.Unbalanced != 0 || whole.Ahead == 0 || whole.Ahead > whole.Events {
		t.Errorf("whole books: %+v", whole)
	}
	book(`DELETE FROM books WHERE hour = (SELECT min(hour) FROM books)`)
	missing := health().Off
	if missing == 0 {
		t.Error("a missing page is not found")
	}
	book(`UPDATE books SET stored = stored + 1, published = published + 1 WHERE hour = (SELECT max(hour) FROM books)`)
	book(`INSERT INTO books VALUES ('1960-01-20 15:00:00+00', 'bot', 1, 1, 0, 0, 0), ('2026-01-20 03:00:00+00', 'nobody', 5, 0, 0, 0, 0)`)
	differs := health()
	if differs.Off <= missing+1 || differs.Unbalanced != 1 {
		t.Errorf("%d pages were missing; then a page differs, one has no event, one does not add up: %+v", missing, differs)
	}
}
