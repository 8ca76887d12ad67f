package queries

import (
	"context"
	_ "embed"
)

//go:embed ledger.sql
var ledgerSQL string

// A Ledger is the row of ledger.sql: the books of a span, in events.
type Ledger struct {
	Published, Stored, Deduplicated, Quarantined, Expired int64
	Lost                                                  int64 // of the expired: messages that left the stream before they were stored
	Rows                                                  int64 // events really stored
	Aside                                                 int64 // of Quarantined, what was not dropped since; 0 in the books of one source
}

// Balanced reports whether the books add up and agree with the store.
func (l Ledger) Balanced() bool {
	return l.Published == l.Stored+l.Deduplicated+l.Quarantined+l.Expired && l.Stored == l.Rows
}

// Aged is how many of the expired were stored, and deleted for their age.
func (l Ledger) Aged() int64 { return l.Expired - l.Lost }

// Books returns the ledger of span.
func Books(ctx context.Context, db DB, span Span) (Ledger, error) {
	return one(ctx, db, ledgerSQL, span.bounds(), func(r *Ledger) []any {
		return []any{&r.Published, &r.Stored, &r.Deduplicated, &r.Quarantined, &r.Expired, &r.Lost, &r.Rows, &r.Aside}
	})
}
