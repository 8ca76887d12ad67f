package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed goal.sql
var goalSQL string

// GoalSums is the row of goal.sql.
type GoalSums struct {
	Incidents, Rated, Resolved, Open      int64
	Retried, Won                          int64 // of the rated: retried, and resolved of these
	WithAttempts, Retries, RetriesSquares int64 // over the incidents that carry an attempt
	Wasted                                int64 // retries that could not help
}

// Goal returns the sums of the incidents of span, of one code or (empty) all.
func Goal(ctx context.Context, db DB, span Span, code string) (GoalSums, error) {
	return one(ctx, db, goalSQL, append(span.filtered(), sql.Named("code", code)), func(r *GoalSums) []any {
		return []any{&r.Incidents, &r.Rated, &r.Resolved, &r.Open, &r.Retried, &r.Won, &r.WithAttempts, &r.Retries, &r.RetriesSquares, &r.Wasted}
	})
}
