package queries

import (
	"context"
	_ "embed"
)

//go:embed coverage.sql
var coverageSQL string

// A SourceCoverage is a row of coverage.sql.
type SourceCoverage struct {
	Source                               string
	Incidents, WithAttempts, WithOutcome int64
}

// Coverage returns what each source showed of its incidents.
func Coverage(ctx context.Context, db DB, span Span) ([]SourceCoverage, error) {
	return collect(ctx, db, coverageSQL, span.filtered(), func(r *SourceCoverage) []any {
		return []any{&r.Source, &r.Incidents, &r.WithAttempts, &r.WithOutcome}
	})
}
