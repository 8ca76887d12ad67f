package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed human.sql
var humanSQL string

// A HumanGroup is a row of human.sql.
type HumanGroup struct {
	Category, Operation string
	Human, Incidents    int64 // those that went to a human, of all but the cancelled
	Retries             int64 // made before
	Seconds             sql.Null[float64]
}

// Human returns what went to a human in span.
func Human(ctx context.Context, db DB, span Span) ([]HumanGroup, error) {
	return collect(ctx, db, humanSQL, span.filtered(), func(r *HumanGroup) []any {
		return []any{&r.Category, &r.Operation, &r.Human, &r.Incidents, &r.Retries, &r.Seconds}
	})
}
