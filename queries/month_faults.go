package queries

import (
	"context"
	_ "embed"
)

//go:embed month_faults.sql
var monthFaultsSQL string

// A MonthFault is a row of month_faults.sql.
type MonthFault struct {
	Month                      string // 2026-01, in the span's time zone
	Code                       string
	Incidents, Resolved, Rated int64
	Codes                      int64 // of the month, in the rows or not
}

// MonthFaults returns the most frequent codes of each month that has incidents
// of span, by month.
func MonthFaults(ctx context.Context, db DB, span Span) ([]MonthFault, error) {
	return collect(ctx, db, monthFaultsSQL, span.filteredAndZone(), func(r *MonthFault) []any {
		return []any{&r.Month, &r.Code, &r.Incidents, &r.Resolved, &r.Rated, &r.Codes}
	})
}
