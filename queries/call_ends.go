package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed call_ends.sql
var callEndsSQL string

// A CallEnd is a row of call_ends.sql: calls that took the same time.
type CallEnd struct {
	Agent, Operation string
	Passed, Cut      bool // cut: ran into a timeout; neither: failed otherwise
	DurationMS       int64
	Calls            int64
}

// CallEnds returns the calls that a limit of so many milliseconds, or a longer
// one, would change, and those that tell of longer ones.
func CallEnds(ctx context.Context, db DB, span Span, leastMS int64) ([]CallEnd, error) {
	return collect(ctx, db, callEndsSQL, append(span.bounds(), sql.Named("least_ms", leastMS)), func(r *CallEnd) []any {
		return []any{&r.Agent, &r.Operation, &r.Passed, &r.Cut, &r.DurationMS, &r.Calls}
	})
}
