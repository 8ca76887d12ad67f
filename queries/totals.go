package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed totals.sql
var totalsSQL string

// Totals is the row of totals.sql. Incidents counts the cancelled ones, the
// rate leaves them out, and those whose source cannot show how they end.
type Totals struct {
	Events, Incidents, Resolved, Open, Cancelled int64
	Rated                                        int64             // incidents that the rate counts; Resolved are of these
	Human                                        int64             // resolved by a human
	WithAttempts, Retries, RetriesSquares        int64             // sums over the incidents that carry an attempt
	Wasted                                       int64             // retries in categories that the same call cannot pass
	DaySquares, WastedSquares, OpenSquares       int64             // sums of the squares of each day's count
	ResolutionRate                               sql.Null[float64] // of 1; null when none is rated
	RetriesMean                                  sql.Null[float64] // null when no incident carries an attempt
}

// Outside is how many incidents no rate counts, because their sources cannot
// show how they ended.
func (t Totals) Outside() int64 { return t.Incidents - t.Cancelled - t.Rated }

// MonthTotals returns the totals of the incidents that opened in span.
func MonthTotals(ctx context.Context, db DB, span Span) (Totals, error) {
	return one(ctx, db, totalsSQL, span.filtered(), func(r *Totals) []any {
		return []any{&r.Events, &r.Incidents, &r.Resolved, &r.Open, &r.Cancelled, &r.Rated, &r.Human,
			&r.WithAttempts, &r.Retries, &r.RetriesSquares, &r.Wasted,
			&r.DaySquares, &r.WastedSquares, &r.OpenSquares, &r.ResolutionRate, &r.RetriesMean}
	})
}
