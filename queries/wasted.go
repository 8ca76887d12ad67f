package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed wasted.sql
var wastedSQL string

// A WastedGroup is a row of wasted.sql.
type WastedGroup struct {
	Category, Operation string
	Retries, Incidents  int64           // that no retry resolved
	Tried               int64           // incidents with retries, those included that one resolved
	WaitedMS, Tokens    sql.Null[int64] // null where no event tells
}

// Vain says whether retries do not help here: they resolved at most one in
// twenty of the incidents.
func (g *WastedGroup) Vain() bool { return 20*(g.Tried-g.Incidents) <= g.Tried }

// Wasted returns the retries in span that did not help, of what the same call cannot pass.
func Wasted(ctx context.Context, db DB, span Span) ([]WastedGroup, error) {
	return collect(ctx, db, wastedSQL, span.filtered(), func(r *WastedGroup) []any {
		return []any{&r.Category, &r.Operation, &r.Retries, &r.Incidents, &r.Tried, &r.WaitedMS, &r.Tokens}
	})
}
