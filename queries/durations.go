package queries

import (
	"context"
	_ "embed"
	"time"
)

//go:embed durations.sql
var durationsSQL string

// A Duration is a row of durations.sql: calls that took the same time.
type Duration struct {
	Agent, Operation string
	Passed, Cut      bool // cut: ran into a timeout; neither: failed otherwise
	DurationMS       int64
	Calls            int64
	First, Last      time.Time // when there were such calls
}

// Durations returns how long calls took that passed or ran into a timeout, and
// those that failed otherwise where a timeout might have changed them.
func Durations(ctx context.Context, db DB, span Span) ([]Duration, error) {
	return collect(ctx, db, durationsSQL, span.bounds(), func(r *Duration) []any {
		return []any{&r.Agent, &r.Operation, &r.Passed, &r.Cut, &r.DurationMS, &r.Calls, &r.First, &r.Last}
	})
}
