package queries

import (
	"context"
	_ "embed"
)

//go:embed trend.sql
var trendSQL string

// A TrendMonth is a row of trend.sql: sums, so that rows can be added up.
type TrendMonth struct {
	Month                 string // 2026-01, in the span's time zone
	Incidents             int64
	Resolved, Rated       int64 // the resolution rate is their ratio
	Open                  int64
	Retries, WithAttempts int64 // the mean of retries is their ratio
	Wasted                int64 // retries in categories that the same call cannot pass; of expired incidents unknown
	Expired               int64 // incidents of which only counts are left, by the month of UTC
}

// Trend returns the months that have incidents of span, in their order.
func Trend(ctx context.Context, db DB, span Span) ([]TrendMonth, error) {
	return collect(ctx, db, trendSQL, span.filteredAndZone(), func(r *TrendMonth) []any {
		return []any{&r.Month, &r.Incidents, &r.Resolved, &r.Rated, &r.Open, &r.Retries, &r.WithAttempts, &r.Wasted, &r.Expired}
	})
}
