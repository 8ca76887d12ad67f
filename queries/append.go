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
	//go:embed append/holds_events.sql
	holdsEventsSQL string
	//go:embed append/insert_events.sql
	insertEventsSQL string
	//go:embed append/insert_quarantine.sql
	insertQuarantineSQL string
	//go:embed append/add_books.sql
	addBooksSQL string
	//go:embed append/open_books.sql
	openBooksSQL string
	//go:embed append/set_offset.sql
	setOffsetSQL string
	//go:embed append/begin_offset.sql
	beginOffsetSQL string
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
	Base     uint64 // what is added to the sequence of its messages from now on for their position in the store
	Sequence uint64 // of its last message that is stored
}

// StoredOffset returns how far the stream of that name and birth is stored. What
// comes of it next stands behind the store's last position.
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
type Kept struct {
	Stored, Deduplicated, Quarantined int64
	Clash                             Clash // of what was deduplicated
}

// A Clash is an id that two events have, of which the second was left out.
type Clash struct {
	ID           string // empty: there is none
	Agent, First string // of the second, and of the one that was there first
	Events       int    // how many were left out for such an id
}

// A KnownID is an id of the staged table that is not new.
type KnownID struct {
	ID     string
	Stored bool // else it stands there more than once
	Agent  string
	Time   time.Time // of the stored event, as its agent; of bad input there are none
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

// HoldsEvents says whether any event is stored.
func HoldsEvents(ctx context.Context, db DB) (bool, error) {
	return one(ctx, db, holdsEventsSQL, nil, func(holds *bool) []any { return []any{holds} })
}

func known(ctx context.Context, db DB, query string) ([]KnownID, error) {
	return collect(ctx, db, query, nil, func(k *KnownID) []any { return []any{&k.ID, &k.Stored, &k.Agent, &k.Time} })
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

// AddBooks adds to the books, whose pages may be there already; no two of pages
// are of one hour and source. All at once, since a page by itself takes a
// statement of some milliseconds, and a batch of an import has a thousand.
func AddBooks(ctx context.Context, db DB, pages []BookPage) error {
	if len(pages) == 0 {
		return nil
	}
	hours, sources := make([]time.Time, len(pages)), make([]string, len(pages))
	var counts [5][]uint64
	for i := range counts {
		counts[i] = make([]uint64, len(pages))
	}
	for i, p := range pages {
		hours[i], sources[i] = p.Hour, p.Source
		for k, n := range [len(counts)]uint64{p.Published, p.Stored, p.Deduplicated, p.Quarantined, p.Expired} {
			counts[k][i] = n
		}
	}
	args := []any{sql.Named("hours", hours), sql.Named("sources", sources), sql.Named("published", counts[0]), sql.Named("stored", counts[1]),
		sql.Named("deduplicated", counts[2]), sql.Named("quarantined", counts[3]), sql.Named("expired", counts[4])}
	there, err := affected(ctx, db, addBooksSQL, args...)
	if err != nil || there == int64(len(pages)) {
		return err
	}
	return run(ctx, db, openBooksSQL, args...)
}

// SetOffset sets how far the stream of that name and birth is stored.
func SetOffset(ctx context.Context, db DB, stream string, created time.Time, o Offset) error {
	args := []any{sql.Named("stream", stream), sql.Named("created", created.UTC()), sql.Named("sequence", o.Sequence), sql.Named("base", o.Base)}
	changed, err := affected(ctx, db, setOffsetSQL, args...)
	if err != nil || changed > 0 {
		return err
	}
	return run(ctx, db, beginOffsetSQL, args...)
}
