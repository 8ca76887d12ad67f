package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed breakdown.sql
var breakdownSQL string

// A Dimension is what a breakdown groups incidents by.
type Dimension string

// The dimensions of a breakdown.
const (
	ByCode      Dimension = "code"
	ByTaxonomy  Dimension = "taxonomy"
	ByCategory  Dimension = "category"
	ByAgent     Dimension = "agent"
	ByOperation Dimension = "operation"
	ByProvider  Dimension = "provider"
	ByModel     Dimension = "model"
)

// A Group is a row of breakdown.sql.
type Group struct {
	Dimension      Dimension
	Key            string
	Agent          string // of an operation; else empty
	Events         int64  // all events of the group's incidents
	Incidents      int64
	Resolved       int64 // of the rated
	Cancelled      int64
	Rated          int64             // incidents that the rate counts: not cancelled, and of a source that shows how they end
	WithAttempts   int64             // incidents that carry an attempt
	Retries        int64             // of these
	RetriesSquares int64             // the sum of each one's square
	DaySquares     int64             // the sum of the squares of each day's incidents
	Wasted         int64             // retries that could not help
	Busiest        int64             // incidents of the day that had most
	BusiestDay     int64             // that day, counted from the span's first as 0; the first of equals
	ResolutionRate sql.Null[float64] // of 1; null when none is rated
	RetriesMean    sql.Null[float64] // null when no incident carries an attempt
}

// Outside is how many incidents no rate counts, because their sources cannot
// show how they ended.
func (g Group) Outside() int64 { return g.Incidents - g.Cancelled - g.Rated }

// Breakdown returns the groups of every dimension, most frequent first.
func Breakdown(ctx context.Context, db DB, span Span) (map[Dimension][]Group, error) {
	rows, err := collect(ctx, db, breakdownSQL, span.filtered(), func(r *Group) []any {
		return []any{&r.Dimension, &r.Key, &r.Agent, &r.Events, &r.Incidents, &r.Resolved, &r.Cancelled,
			&r.Rated, &r.WithAttempts, &r.Retries, &r.RetriesSquares, &r.DaySquares, &r.Wasted, &r.Busiest, &r.BusiestDay, &r.ResolutionRate, &r.RetriesMean}
	})
	if err != nil {
		return nil, err
	}
	groups := map[Dimension][]Group{}
	for _, row := range rows {
		groups[row.Dimension] = append(groups[row.Dimension], row)
	}
	return groups, nil
}
