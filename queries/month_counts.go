package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed month_counts.sql
var monthCountsSQL string

// A MonthCount is a row of month_counts.sql.
type MonthCount struct {
	Month                                string // "2026-01"
	Incidents, Resolved, Open, Cancelled int64
}

// Rated is how many incidents the resolution rate rests on.
func (m MonthCount) Rated() int64 { return m.Incidents - m.Cancelled }

// MonthCounts returns the months in loc that have incidents, newest first; only
// those of incidents that opened from since on, which begins a month.
func MonthCounts(ctx context.Context, db DB, loc *time.Location, since time.Time) ([]MonthCount, error) {
	args := []any{sql.Named("timezone", loc.String()), sql.Named("since", since.UTC())}
	return collect(ctx, db, monthCountsSQL, args, func(r *MonthCount) []any {
		return []any{&r.Month, &r.Incidents, &r.Resolved, &r.Open, &r.Cancelled}
	})
}
