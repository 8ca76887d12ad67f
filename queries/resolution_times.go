package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed resolution_times.sql
var resolutionTimesSQL string

// A ResolutionTime is a row of resolution_times.sql. Times are in milliseconds.
type ResolutionTime struct {
	Category            string // empty: all
	Incidents, Resolved int64
	Timed               int64           // resolved ones whose time is known
	P50, P90            sql.Null[int64] // of the timed; null when there is none
	Seen                int64           // incidents that the estimate of Half rests on, resolved or not
	Half                sql.Null[int64] // within which half of them were resolved; null: fewer were
	HalfLow, HalfHigh   sql.Null[int64] // its 95 % interval; null: no bound
}

// ResolutionTimes returns how long the incidents of span took to be resolved:
// all first, then by category.
func ResolutionTimes(ctx context.Context, db DB, span Span) ([]ResolutionTime, error) {
	return collect(ctx, db, resolutionTimesSQL, span.filtered(), func(r *ResolutionTime) []any {
		return []any{&r.Category, &r.Incidents, &r.Resolved, &r.Timed, &r.P50, &r.P90, &r.Seen, &r.Half, &r.HalfLow, &r.HalfHigh}
	})
}
