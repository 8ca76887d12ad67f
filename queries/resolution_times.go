package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed resolution_times.sql
var resolutionTimesSQL string

// A ResolutionTime is a row of resolution_times.sql.
type ResolutionTime struct {
	Category            string // empty: all
	Incidents, Resolved int64
	Timed               int64           // resolved ones whose time is known
	P50MS, P90MS        sql.Null[int64] // of the timed; null when there is none
}

// ResolutionTimes returns how long the resolved incidents of span took: all
// first, then by category.
func ResolutionTimes(ctx context.Context, db DB, span Span) ([]ResolutionTime, error) {
	return collect(ctx, db, resolutionTimesSQL, span.filtered(), func(r *ResolutionTime) []any {
		return []any{&r.Category, &r.Incidents, &r.Resolved, &r.Timed, &r.P50MS, &r.P90MS}
	})
}
