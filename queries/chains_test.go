package queries

import (
	"database/sql"
	"testing"
	"time"
)

// TestDayOf wants days to be the ones that SQL counts, before 1970 too, each as
// long as the others.
func TestDayOf(t *testing.T) {
	db := openTest(t, "testdata/events.sql")
	for _, test := range []struct {
		at   string
		want ChainDay
	}{
		{"1969-12-30T23:59:59.999999Z", -2},
		{"1969-12-31T00:00:00Z", -1},
		{"1969-12-31T23:59:59.999999Z", -1},
		{"1970-01-01T00:00:00Z", 0},
		{"1970-01-01T23:59:59.999999Z", 0},
		{"2026-01-15T12:00:00Z", 20468},
	} {
		at, err := time.Parse(time.RFC3339Nano, test.at)
		if err != nil {
			t.Fatal(err)
		}
		bySQL, err := one(t.Context(), db, "SELECT day_of($at::TIMESTAMPTZ)", []any{sql.Named("at", at)}, func(d *int64) []any { return []any{d} })
		if err != nil {
			t.Fatal(err)
		}
		day := DayOf(at)
		if day != test.want || int64(day) != bySQL {
			t.Errorf("%s: day %d, by SQL %d, want %d", test.at, day, bySQL, test.want)
		}
		if at.Before(day.start()) || !at.Before(day.End()) || day.End().Sub(day.start()) != 24*time.Hour {
			t.Errorf("%s is not within %v and %v", test.at, day.start(), day.End())
		}
	}
}
