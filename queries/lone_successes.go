package queries

import (
	"context"
	_ "embed"
)

//go:embed lone_successes.sql
var loneSuccessesSQL string

// LoneSuccesses returns how many operations of span passed at a retry of whose
// failures nobody told. They are no incidents.
func LoneSuccesses(ctx context.Context, db DB, span Span) (int64, error) {
	rows, err := collect(ctx, db, loneSuccessesSQL, span.bounds(), func(n *int64) []any { return []any{n} })
	if err != nil {
		return 0, err
	}
	return rows[0], nil
}
