package queries

import (
	"context"
	"database/sql"
	_ "embed" // for the statement below
)

//go:embed free_memory.sql
var freeMemorySQL string

// FreeMemory gives the memory that DuckDB has freed back to the system; limit is
// its memory limit.
func FreeMemory(ctx context.Context, db DB, limit string) error {
	return run(ctx, db, freeMemorySQL, sql.Named("limit", limit))
}
