package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed trend.sql
var trendSQL string

// A TrendMonth is a month of trend.sql: sums, so that months can be added up.
type TrendMonth struct {
	Month string // 2026-01, in the span's time zone
	TrendSums
	Codes int64       // different ones
	Top   []MonthCode // the most frequent of them, five at most
}

// A MonthCode is an error code within a month.
type MonthCode struct {
	Code string
	TrendSums
}

// TrendSums are of the incidents of a month, or of a code in it.
type TrendSums struct {
	Incidents             int64
	Resolved, Rated       int64 // the resolution rate is their ratio
	Open                  int64
	Retries, WithAttempts int64 // the mean of retries is their ratio
	Wasted                int64 // retries in categories that the same call cannot pass; of expired incidents unknown
	Expired               int64 // incidents of which only counts are left, by the month of UTC
}

// Trend returns the months that have incidents of span, in their order.
func Trend(ctx context.Context, db DB, span Span) (months []TrendMonth, err error) {
	type row struct {
		month string
		code  sql.Null[string] // not valid: the month as a whole
		TrendSums
		codes int64
	}
	rows, err := collect(ctx, db, trendSQL, span.filteredAndZone(), func(r *row) []any {
		return []any{&r.month, &r.code, &r.Incidents, &r.Resolved, &r.Rated, &r.Open, &r.Retries, &r.WithAttempts, &r.Wasted, &r.Expired, &r.codes}
	})
	for _, r := range rows {
		if !r.code.Valid {
			months = append(months, TrendMonth{Month: r.month, TrendSums: r.TrendSums})
			continue
		}
		m := &months[len(months)-1] // a month stands before its codes
		m.Codes, m.Top = r.codes, append(m.Top, MonthCode{r.code.V, r.TrendSums})
	}
	return months, err
}
