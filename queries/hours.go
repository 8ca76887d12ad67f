package queries

import (
	"context"
	_ "embed"
)

//go:embed hours.sql
var hoursSQL string

// An Hour is a row of hours.sql: one hour of the day on one weekday.
type Hour struct {
	Weekday, Hour int64 // 1 is Monday; 0 to 23
	Incidents     int64
}

// Hours returns the incidents of each weekday and hour in span's zone.
func Hours(ctx context.Context, db DB, span Span) ([]Hour, error) {
	return collect(ctx, db, hoursSQL, span.filteredAndZone(), func(r *Hour) []any {
		return []any{&r.Weekday, &r.Hour, &r.Incidents}
	})
}
