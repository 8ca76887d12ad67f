package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed wasted.sql
var wastedSQL string

// A WastedGroup is a row of wasted.sql.
type WastedGroup struct {
	Category, Operation string
	Retries, Incidents  int64
	WaitedMS, Tokens    sql.Null[int64] // null where no event tells
}

// Wasted returns the retries in span that could not help.
func Wasted(ctx context.Context, db DB, span Span) ([]WastedGroup, error) {
	return collect(ctx, db, wastedSQL, span.filtered(), func(r *WastedGroup) []any {
		return []any{&r.Category, &r.Operation, &r.Retries, &r.Incidents, &r.WaitedMS, &r.Tokens}
	})
}
