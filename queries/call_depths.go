package queries

import (
	"context"
	_ "embed"
	"time"
)

//go:embed call_depths.sql
var callDepthsSQL string

// A CallDepth is a row of call_depths.sql: turns that made as many calls.
type CallDepth struct {
	Agent       string
	Passed      bool  // false: a limit of the run cut them off
	Depth       int64 // calls; 0: no event told
	Turns       int64
	First, Last time.Time // when there were such turns
}

// CallDepths returns how many calls the turns of span made.
func CallDepths(ctx context.Context, db DB, span Span) ([]CallDepth, error) {
	return collect(ctx, db, callDepthsSQL, span.bounds(), func(r *CallDepth) []any {
		return []any{&r.Agent, &r.Passed, &r.Depth, &r.Turns, &r.First, &r.Last}
	})
}
