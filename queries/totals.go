package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed totals.sql
var totalsSQL string

// Totals is the row of totals.sql. Incidents counts the cancelled ones, the
// rate leaves them out.
type Totals struct {
	Events, Incidents, Resolved, Open, Cancelled int64
	ResolutionRate                               sql.Null[float64] // of 1; null without incidents
	RetriesMean                                  sql.Null[float64] // null when no incident carries an attempt
}

// MonthTotals returns the totals of the incidents that opened in span.
func MonthTotals(ctx context.Context, db DB, span Span) (Totals, error) {
	return one(ctx, db, totalsSQL, span.filtered(), func(r *Totals) []any {
		return []any{&r.Events, &r.Incidents, &r.Resolved, &r.Open, &r.Cancelled, &r.ResolutionRate, &r.RetriesMean}
	})
}
