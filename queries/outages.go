package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed outages.sql
var outagesSQL string

// A BurstHour is a row of outages.sql.
type BurstHour struct {
	Provider, Category            string
	Hour                          time.Time
	Incidents, Agents, Operations int64
	Usual                         int64 // incidents of a busy hour
}

// BurstHours returns the hours of span with more incidents than usual, of at
// least so many agents.
func BurstHours(ctx context.Context, db DB, span Span, agents int) ([]BurstHour, error) {
	return collect(ctx, db, outagesSQL, append(span.filtered(), sql.Named("agents", agents)), func(r *BurstHour) []any {
		return []any{&r.Provider, &r.Category, &r.Hour, &r.Incidents, &r.Agents, &r.Operations, &r.Usual}
	})
}
