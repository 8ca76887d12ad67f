package queries

import (
	"context"
	_ "embed"
)

//go:embed choices.sql
var choicesSQL string

// A Choice is a row of choices.sql.
type Choice struct {
	Kind string // agent, operation or provider
	Name string
}

// Choices returns the names among which the incidents of span can be chosen,
// whatever its filters.
func Choices(ctx context.Context, db DB, span Span) ([]Choice, error) {
	return collect(ctx, db, choicesSQL, span.bounds(), func(r *Choice) []any { return []any{&r.Kind, &r.Name} })
}
