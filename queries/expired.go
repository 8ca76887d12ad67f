package queries

import (
	"context"
	_ "embed"
)

//go:embed expired.sql
var expiredSQL string

// An Expired is a row of expired.sql.
type Expired struct {
	Code                       string // empty: without one
	Incidents, Resolved, Rated int64
	Retries, WithAttempts      int64 // over the incidents that carry an attempt
}

// Expireds returns what is still counted of incidents whose events have expired,
// of the months of span, most frequent first.
func Expireds(ctx context.Context, db DB, span Span) ([]Expired, error) {
	return collect(ctx, db, expiredSQL, span.filteredAndZone(), func(r *Expired) []any {
		return []any{&r.Code, &r.Incidents, &r.Resolved, &r.Rated, &r.Retries, &r.WithAttempts}
	})
}
