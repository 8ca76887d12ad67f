package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"strings"
	"time"
)

// The statements that keep a batch. Its rows stand in the staged table incoming,
// whose columns have the names of those of events or quarantine, but sequence.
var (
	//go:embed append/stored_events.sql
	storedEventsSQL string
	//go:embed append/stored_quarantine.sql
	storedQuarantineSQL string
	//go:embed append/ids.sql
	idsSQL string
	//go:embed append/insert_events.sql
	insertEventsSQL string
	//go:embed append/insert_quarantine.sql
	insertQuarantineSQL string
	//go:embed append/add_books.sql
	addBooksSQL string
	//go:embed append/set_offset.sql
	setOffsetSQL string
	//go:embed append/offset.sql
	offsetSQL string
	//go:embed append/forget_offset.sql
	forgetOffsetSQL string
	//go:embed append/store_id.sql
	storeIDSQL string
	//go:embed append/drop_staged_view.sql
	dropStagedViewSQL string
	//go:embed append/drop_staged_table.sql
	dropStagedTableSQL string
	//go:embed append/make_staged_table.sql
	makeStagedTableSQL string
)

//go:embed connect.sql
var connectSQL string

// Connect sets what holds for every connection of a store just opened.
func Connect(ctx context.Context, db DB) error {
	_, err := db.ExecContext(ctx, connectSQL)
	return err
}

// A StagedColumn is a column of a staged table and its SQL type.
type StagedColumn struct{ Name, Type string }

// MakeStagedTable makes an empty temporary table for rows of a batch.
func MakeStagedTable(ctx context.Context, db DB, name string, columns []StagedColumn) error {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name + " " + c.Type
	}
	return run(ctx, db, strings.NewReplacer("incoming", name, "columns", strings.Join(list, ", ")).Replace(makeStagedTableSQL))
}

// DropStagedTable ends what MakeStagedTable began.
func DropStagedTable(ctx context.Context, db DB, name string) error {
	return run(ctx, db, strings.ReplaceAll(dropStagedTableSQL, "incoming", name))
}

// DropStagedView drops the view that the driver made of rows of a batch.
func DropStagedView(ctx context.Context, db DB, name string) error {
	return run(ctx, db, strings.ReplaceAll(dropStagedViewSQL, "incoming", name))
}

func run(ctx context.Context, db DB, query string, args ...any) error {
	_, err := db.ExecContext(ctx, query, args...)
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

// Kept counts what became of a batch.
type Kept struct{ Stored, Deduplicated, Quarantined int64 }

// A KnownID is an id of the staged table that is not new.
type KnownID struct {
	ID     string
	Stored bool // else it stands there more than once
}

// StoredEvents returns the ids of the staged table that are stored already or
// stand there more than once.
func StoredEvents(ctx context.Context, db DB) ([]KnownID, error) {
	return known(ctx, db, storedEventsSQL)
}

// StoredQuarantine is StoredEvents for bad input.
func StoredQuarantine(ctx context.Context, db DB) ([]KnownID, error) {
	return known(ctx, db, storedQuarantineSQL)
}

// EachID calls f with the id of every event, whose bytes the next overwrites.
func EachID(ctx context.Context, db DB, f func(id []byte) error) error {
	return each(ctx, db, idsSQL, nil, func(id *sql.RawBytes) []any { return []any{id} }, func(id *sql.RawBytes) error { return f(*id) })
}

func known(ctx context.Context, db DB, query string) ([]KnownID, error) {
	return collect(ctx, db, query, nil, func(k *KnownID) []any { return []any{&k.ID, &k.Stored} })
}

// InsertEvents stores the events of the staged table. base is the position of
// the store before the first message of their stream.
func InsertEvents(ctx context.Context, db DB, base uint64) error {
	return run(ctx, db, insertEventsSQL, sql.Named("base", base))
}

// InsertQuarantine keeps the bad input of the staged table, base as in InsertEvents.
func InsertQuarantine(ctx context.Context, db DB, base uint64) error {
	return run(ctx, db, insertQuarantineSQL, sql.Named("base", base))
}

// A BookPage counts what came of one hour and source.
type BookPage struct {
	Hour                                                  time.Time
	Source                                                string
	Published, Stored, Deduplicated, Quarantined, Expired uint64
}

// AddBooks adds to the books, whose pages may be there already.
func AddBooks(ctx context.Context, db DB, pages []BookPage) error {
	for _, p := range pages {
		err := run(ctx, db, addBooksSQL, sql.Named("hour", p.Hour), sql.Named("source", p.Source), sql.Named("published", p.Published), sql.Named("stored", p.Stored),
			sql.Named("deduplicated", p.Deduplicated), sql.Named("quarantined", p.Quarantined), sql.Named("expired", p.Expired))
		if err != nil {
			return err
		}
	}
	return nil
}

// SetOffset sets how far the stream of that name and birth is stored.
func SetOffset(ctx context.Context, db DB, stream string, created time.Time, o Offset) error {
	return run(ctx, db, setOffsetSQL, sql.Named("stream", stream), sql.Named("created", created.UTC()), sql.Named("base", o.Base), sql.Named("sequence", o.Sequence))
}
