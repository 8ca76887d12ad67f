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

// MonthCounts returns the months in loc that have incidents since a time,
// newest first.
func MonthCounts(ctx context.Context, db DB, since time.Time, loc *time.Location) ([]MonthCount, error) {
	args := []any{sql.Named("since", since.UTC()), sql.Named("timezone", loc.String())}
	return collect(ctx, db, monthCountsSQL, args, func(r *MonthCount) []any {
		return []any{&r.Month, &r.Incidents, &r.Resolved, &r.Open, &r.Cancelled}
	})
}
