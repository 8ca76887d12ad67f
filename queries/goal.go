package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

var (
	//go:embed goal.sql
	goalSQL string
	//go:embed goal_misses.sql
	goalMissesSQL string
)

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

// GoalMisses returns up to three incidents of span that count against a goal for
// metric, of one code or (empty) all.
func GoalMisses(ctx context.Context, db DB, span Span, code, metric string) ([]IncidentKey, error) {
	args := append(span.filtered(), sql.Named("code", code), sql.Named("metric", metric))
	return collect(ctx, db, goalMissesSQL, args, func(r *IncidentKey) []any { return []any{&r.Agent, &r.Incident} })
}
