package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed coverage.sql
var coverageSQL string

// A SourceCoverage is a row of coverage.sql.
type SourceCoverage struct {
	Source                               string
	Incidents, WithAttempts, WithOutcome int64
	Cancelled, Rated                     int64          // Rated: the resolution rate counts them
	Attempts, Final, Recoveries          sql.Null[bool] // what the source can show; null: it is in no list
}

// Outside is how many incidents no rate counts, because the source cannot show
// how they ended.
func (c SourceCoverage) Outside() int64 { return c.Incidents - c.Cancelled - c.Rated }

// Coverage returns what each source showed of its incidents.
func Coverage(ctx context.Context, db DB, span Span) ([]SourceCoverage, error) {
	return collect(ctx, db, coverageSQL, span.filtered(), func(r *SourceCoverage) []any {
		return []any{&r.Source, &r.Incidents, &r.WithAttempts, &r.WithOutcome, &r.Cancelled, &r.Rated, &r.Attempts, &r.Final, &r.Recoveries}
	})
}
