package queries

import (
	"context"
	_ "embed"
)

//go:embed durations.sql
var durationsSQL string

// A Duration is a row of durations.sql: calls that took the same time.
type Duration struct {
	Agent, Operation string
	Passed           bool // false: ran into a timeout
	DurationMS       int64
	Calls            int64
}

// Durations returns how long calls took that passed or ran into a timeout.
func Durations(ctx context.Context, db DB, span Span) ([]Duration, error) {
	return collect(ctx, db, durationsSQL, span.bounds(), func(r *Duration) []any {
		return []any{&r.Agent, &r.Operation, &r.Passed, &r.DurationMS, &r.Calls}
	})
}
