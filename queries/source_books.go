package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

var (
	//go:embed source_books.sql
	sourceBooksSQL string
	//go:embed last_hour.sql
	lastHourSQL string
)

// A SourceBook is a row of source_books.sql: what the books say of a source,
// and the events of its last day.
type SourceBook struct {
	SourceLedger
	LastHour sql.Null[time.Time] // that has a stored event
	Latest   sql.Null[time.Time] // event, where it is of the last day of all sources
	Versions string              // of the program, in a list
}

// SourceBooks returns the books of all time by source. It reads the events of
// one day, not all.
func SourceBooks(ctx context.Context, db DB) ([]SourceBook, error) {
	last, err := one(ctx, db, lastHourSQL, nil, func(t *sql.Null[time.Time]) []any { return []any{t} })
	if err != nil {
		return nil, err
	}
	since := last.V.Add(-24 * time.Hour)
	return collect(ctx, db, sourceBooksSQL, []any{sql.Named("since", since.UTC())}, func(r *SourceBook) []any {
		return []any{&r.Source, &r.Published, &r.Stored, &r.Deduplicated, &r.Quarantined, &r.Expired, &r.LastHour, &r.Latest, &r.Versions}
	})
}
