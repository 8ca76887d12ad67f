package queries

import (
	"context"
	_ "embed"
)

//go:embed retries.sql
var retriesSQL string

// A RetryCount is a row of retries.sql.
type RetryCount struct {
	Retries             int64 // largest attempt - 1
	Incidents, Resolved int64
	Rated               int64 // incidents that the resolution rate counts
}

// Retries returns how many incidents made how many retries.
func Retries(ctx context.Context, db DB, span Span) ([]RetryCount, error) {
	return collect(ctx, db, retriesSQL, span.filtered(), func(r *RetryCount) []any {
		return []any{&r.Retries, &r.Incidents, &r.Resolved, &r.Rated}
	})
}
