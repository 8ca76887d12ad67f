package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed tables.sql
var tablesSQL string

//go:embed read_table.sql
var readTableSQL string

// Tables returns the names of the store's tables.
func Tables(ctx context.Context, db DB) ([]string, error) {
	return collect(ctx, db, tablesSQL, nil, func(name *string) []any { return []any{name} })
}

// ReadTable reads every block of a table. The error says which cannot be read.
func ReadTable(ctx context.Context, db DB, name string) error {
	_, err := one(ctx, db, readTableSQL, []any{sql.Named("table", name)}, func(n *uint64) []any { return []any{n} })
	return err
}
