package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed months.sql
var monthsSQL string

// Months returns the months of loc that have incidents ("2026-01"), newest first.
func Months(ctx context.Context, db DB, loc *time.Location) ([]string, error) {
	return collect(ctx, db, monthsSQL, []any{sql.Named("timezone", loc.String())}, func(r *string) []any { return []any{r} })
}
