package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed known_names.sql
var knownNamesSQL string

// A KnownName is a row of known_names.sql.
type KnownName struct {
	Kind  string // agent, operation, category or provider
	Name  string
	Known bool // it is the one that was asked for
}

// KnownNames returns the stored names that are most like those of a filter.
func KnownNames(ctx context.Context, db DB, f Filter) ([]KnownName, error) {
	args := []any{sql.Named("agent", f.Agent), sql.Named("operation", f.Operation), sql.Named("category", f.Category), sql.Named("provider", f.Provider)}
	return collect(ctx, db, knownNamesSQL, args, func(r *KnownName) []any { return []any{&r.Kind, &r.Name, &r.Known} })
}
