package queries

import (
	"testing"
	"time"
)

// Pages of the books that are there are added to, the others are opened, and
// other hours and sources are left alone.
func TestAddBooks(t *testing.T) {
	db := openTest(t, "")
	hour := func(n int) time.Time { return time.Date(2026, 1, 3, n, 0, 0, 0, time.UTC) }
	page := func(n int, source string, count uint64) BookPage {
		return BookPage{Hour: hour(n), Source: source, Published: 5 * count, Stored: count, Deduplicated: 2 * count, Quarantined: count, Expired: count}
	}
	for _, pages := range [][]BookPage{
		nil,
		{page(1, "bot", 1), page(1, "it's", 1)},
		{page(1, "bot", 10), page(2, "bot", 10), page(3, "it's", 10)},
		{page(2, "bot", 100)},
	} {
		if err := AddBooks(t.Context(), db, pages); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []BookPage{page(1, "bot", 11), page(1, "it's", 1), page(2, "bot", 110), page(3, "it's", 10)} {
		var got BookPage
		row := db.QueryRowContext(t.Context(), "FROM books WHERE hour = ? AND source = ?", want.Hour, want.Source)
		if err := row.Scan(&got.Hour, &got.Source, &got.Published, &got.Stored, &got.Deduplicated, &got.Quarantined, &got.Expired); err != nil {
			t.Fatal(err)
		}
		if got.Hour = got.Hour.UTC(); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	var pages int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM books").Scan(&pages); err != nil || pages != 4 {
		t.Errorf("%d pages, %v", pages, err)
	}
}

// An offset is set for the first time, then moved; streams of one name are told
// apart by their birth, and a new one begins where the last one ended.
func TestSetOffset(t *testing.T) {
	db := openTest(t, "")
	first, second := time.Unix(1_700_000_000, 0), time.Unix(1_800_000_000, 0)
	for _, step := range []struct {
		created time.Time
		set     Offset
	}{{first, Offset{0, 7}}, {first, Offset{0, 9}}, {second, Offset{9, 2}}, {first, Offset{0, 12}}} {
		if err := SetOffset(t.Context(), db, "s", step.created, step.set); err != nil {
			t.Fatal(err)
		}
		if got, err := StoredOffset(t.Context(), db, "s", step.created); err != nil || got != step.set {
			t.Errorf("got %+v, %v, want %+v", got, err, step.set)
		}
	}
}
