package queries

import (
	"context"
	_ "embed"
)

//go:embed daily.sql
var dailySQL string

// A Day is a row of daily.sql.
type Day struct {
	Day       string // 2026-01-31, in the span's time zone
	Taxonomy  string
	Incidents int64
}

// Daily returns the incidents of each day and taxonomy in span.
func Daily(ctx context.Context, db DB, span Span) ([]Day, error) {
	return collect(ctx, db, dailySQL, span.filteredAndZone(), func(r *Day) []any {
		return []any{&r.Day, &r.Taxonomy, &r.Incidents}
	})
}
