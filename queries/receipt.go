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

// ReceiptOf returns what the store kept of the positions from first to last.
func ReceiptOf(ctx context.Context, db DB, first, last uint64) (Receipt, error) {
	return one(ctx, db, receiptSQL, []any{sql.Named("first", first), sql.Named("last", last)}, func(r *Receipt) []any {
		return []any{&r.Stored, &r.Quarantined}
	})
}
