package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed health.sql
var healthSQL string

//go:embed ledger_by_source.sql
var ledgerBySourceSQL string

// A Health is the row of health.sql.
type Health struct {
	Events           int64
	Earliest         sql.NullTime // of the events
	Off              int64        // pages of the books, an hour and source each, that differ from the events
	Unbalanced       int64        // pages that do not add up
	BookedQuarantine int64
	Quarantine       int64 // at most BookedQuarantine, which also counts what was dropped
	Early            int64 // bad input that arrived more than a day after now
	Ahead            int64 // events more than a day after now
}

// Booked reports whether the books are right.
func (h *Health) Booked() bool {
	return h.Unbalanced == 0 && h.Off == 0 && h.Quarantine <= h.BookedQuarantine
}

// StoreHealth asks the store for its health.
func StoreHealth(ctx context.Context, db DB, now time.Time) (Health, error) {
	return one(ctx, db, healthSQL, []any{sql.Named("now", now.UTC())}, func(r *Health) []any {
		return []any{&r.Events, &r.Earliest, &r.Off, &r.Unbalanced, &r.BookedQuarantine, &r.Quarantine, &r.Early, &r.Ahead}
	})
}

// A SourceLedger is a row of ledger_by_source.sql.
type SourceLedger struct {
	Source                                                string
	Published, Stored, Deduplicated, Quarantined, Expired int64
}

// LedgerBySource returns the books of all time.
func LedgerBySource(ctx context.Context, db DB) ([]SourceLedger, error) {
	return collect(ctx, db, ledgerBySourceSQL, nil, func(r *SourceLedger) []any {
		return []any{&r.Source, &r.Published, &r.Stored, &r.Deduplicated, &r.Quarantined, &r.Expired}
	})
}
