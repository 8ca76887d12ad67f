package queries

import "context"

// A Snapshotter is a [DB] that can answer several questions from one state of
// the store, whatever is written meanwhile.
type Snapshotter interface {
	Snapshot(ctx context.Context, f func(DB) error) error
}

// snapshot calls f with what answers from one state of the store. What is no
// Snapshotter is taken to be a transaction.
func snapshot(ctx context.Context, db DB, f func(DB) error) error {
	if s, ok := db.(Snapshotter); ok {
		return s.Snapshot(ctx, f)
	}
	return f(db)
}
