package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed receipt.sql
var receiptSQL string

// A Receipt is the row of receipt.sql.
type Receipt struct{ Stored, Quarantined int64 }

// ReceiptOf returns what the store kept of the positions in ranges, the JSON of
// a list of {"first","last"}, which count from base.
func ReceiptOf(ctx context.Context, db DB, base uint64, ranges string) (Receipt, error) {
	return one(ctx, db, receiptSQL, []any{sql.Named("base", base), sql.Named("ranges", ranges)}, func(r *Receipt) []any {
		return []any{&r.Stored, &r.Quarantined}
	})
}
