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
	Resolved       int64
	Cancelled      int64
	ResolutionRate sql.Null[float64] // of 1; null when all were cancelled
	RetriesMean    sql.Null[float64] // null when no incident carries an attempt
}

// Breakdown returns the groups of every dimension, most frequent first.
func Breakdown(ctx context.Context, db DB, span Span) (map[Dimension][]Group, error) {
	rows, err := collect(ctx, db, breakdownSQL, span.filtered(), func(r *Group) []any {
		return []any{&r.Dimension, &r.Key, &r.Agent, &r.Events, &r.Incidents, &r.Resolved, &r.Cancelled, &r.ResolutionRate, &r.RetriesMean}
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
