package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

var (
	//go:embed ledger_sources.sql
	ledgerSourcesSQL string
	//go:embed quarantine_kinds.sql
	quarantineKindsSQL string
)

// A LedgerSource is a row of ledger_sources.sql: the books of a source, or of one
// of its days.
type LedgerSource struct {
	Source string
	Day    string // 2026-01-31, in the span's zone; empty: all days
	Ledger        // of a day without its Rows
}

// LedgerSources returns the books of span by source, most published first, each
// followed by the days on which not everything was simply stored.
func LedgerSources(ctx context.Context, db DB, span Span) ([]LedgerSource, error) {
	args := append(span.bounds(), sql.Named("timezone", span.Location.String()))
	return collect(ctx, db, ledgerSourcesSQL, args, func(r *LedgerSource) []any {
		return []any{&r.Source, &r.Day, &r.Published, &r.Stored, &r.Deduplicated, &r.Quarantined, &r.Expired, &r.Rows}
	})
}

// A QuarantineExample is a row of quarantine_kinds.sql: one piece of bad input,
// with its kind.
type QuarantineExample struct {
	Source, Kind string
	Inputs       int64 // of the kind
	ID           string
	Arrived      time.Time
	Place        string // where in the message or file it stood
	Reason       string
	Raw          string // as it came, but for its secrets
}

// QuarantineKinds returns the most frequent kinds of bad input in span by
// source, of each up to three examples.
func QuarantineKinds(ctx context.Context, db DB, span Span) ([]QuarantineExample, error) {
	return collect(ctx, db, quarantineKindsSQL, span.bounds(), func(r *QuarantineExample) []any {
		return []any{&r.Source, &r.Kind, &r.Inputs, &r.ID, &r.Arrived, &r.Place, &r.Reason, &r.Raw}
	})
}
