package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"time"
)

// The statements that keep a batch. Their rows stand in the temporary tables
// incoming and incoming_bad of the writer's connection, which have the columns
// of events and quarantine and, last, again: true for what is not to be stored.
var (
	//go:embed append/make_incoming.sql
	makeIncomingSQL string
	//go:embed append/clear_incoming.sql
	clearIncomingSQL string
	//go:embed append/mark_again.sql
	markAgainSQL string
	//go:embed append/mark_bad_again.sql
	markBadAgainSQL string
	//go:embed append/insert_events.sql
	insertEventsSQL string
	//go:embed append/insert_quarantine.sql
	insertQuarantineSQL string
	//go:embed append/insert_books.sql
	insertBooksSQL string
	//go:embed append/set_offset.sql
	setOffsetSQL string
	//go:embed append/offset.sql
	offsetSQL string
	//go:embed append/forget_offset.sql
	forgetOffsetSQL string
	//go:embed append/store_id.sql
	storeIDSQL string
)

//go:embed connect.sql
var connectSQL string

// Connect sets what holds for every connection of a store just opened.
func Connect(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, connectSQL)
	return err
}

// MakeIncoming makes the temporary tables on the writer's connection.
func MakeIncoming(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, makeIncomingSQL)
	return err
}

// ClearIncoming empties the temporary tables for the next batch.
func ClearIncoming(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, clearIncomingSQL)
	return err
}

// An Offset is how far a stream is stored.
type Offset struct {
	Base     uint64 // position of the store before the stream's first message
	Sequence uint64 // of its last message that is stored
}

// StoredOffset returns how far the stream of that name and birth is stored. A
// stream that the store has never seen starts at the store's last position.
func StoredOffset(ctx context.Context, db DB, stream string, created time.Time) (Offset, error) {
	args := []any{sql.Named("stream", stream), sql.Named("created", created.UTC())}
	return one(ctx, db, offsetSQL, args, func(o *Offset) []any { return []any{&o.Base, &o.Sequence} })
}

// ForgetOffset renames the offset of a stream, so that the stream counts as new
// and the store's positions keep rising.
func ForgetOffset(ctx context.Context, db DB, stream string, created, now time.Time) error {
	_, err := db.ExecContext(ctx, forgetOffsetSQL, sql.Named("stream", stream), sql.Named("created", created.UTC()), sql.Named("now", now.UTC()))
	return err
}

// StoreID returns the id that the store was born with.
func StoreID(ctx context.Context, db DB) (string, error) {
	return one(ctx, db, storeIDSQL, nil, func(id *string) []any { return []any{id} })
}

// Loss counts messages that the stream no longer held when they were due.
type Loss struct {
	Count uint64
	At    time.Time // when that was noticed
}

// Kept counts what became of a batch.
type Kept struct{ Stored, Deduplicated, Quarantined int64 }

// KeepIncoming stores what stands in the temporary tables, books it and sets
// the stream's offset. db is the transaction in which they were filled.
func KeepIncoming(ctx context.Context, db DB, stream string, created time.Time, offset Offset, loss Loss) (Kept, error) {
	var kept Kept
	changed := func(query string, args ...any) (int64, error) {
		result, err := db.ExecContext(ctx, query, args...)
		if err != nil {
			return 0, err
		}
		return result.RowsAffected()
	}
	for _, step := range []struct {
		name, query string
		args        []any
		count       *int64
	}{
		{"find stored ids", markAgainSQL, nil, nil},
		{"find stored bad input", markBadAgainSQL, nil, nil},
		{"insert events", insertEventsSQL, nil, &kept.Stored},
		{"insert quarantine", insertQuarantineSQL, nil, &kept.Quarantined},
		{"book", insertBooksSQL, []any{sql.Named("lost", loss.Count), sql.Named("at", loss.At.UTC())}, nil},
		{"set the offset", setOffsetSQL, []any{sql.Named("stream", stream), sql.Named("created", created.UTC()),
			sql.Named("base", offset.Base), sql.Named("sequence", offset.Sequence)}, nil},
	} {
		n, err := changed(step.query, step.args...)
		if err != nil {
			return kept, fmt.Errorf("%s: %w", step.name, err)
		}
		if step.count != nil {
			*step.count = n
		}
	}
	return kept, nil
}
