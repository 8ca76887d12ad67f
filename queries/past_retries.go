package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed past_retries.sql
var pastRetriesSQL string

// A PastRetry is a row of past_retries.sql, its fields in column order.
type PastRetry struct {
	Agent, Operation, Category, Source string
	Retries                            int64
	Incidents, Won                     int64
}

// PastRetries returns how many incidents of span made how many retries, most at
// most, and how many of them the last one resolved, by cell and source.
func PastRetries(ctx context.Context, db DB, span Span, most int64) ([]PastRetry, error) {
	return collect(ctx, db, pastRetriesSQL, append(span.bounds(), sql.Named("most", most)), func(r *PastRetry) []any {
		return []any{&r.Agent, &r.Operation, &r.Category, &r.Source, &r.Retries, &r.Incidents, &r.Won}
	})
}
