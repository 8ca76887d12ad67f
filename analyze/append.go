package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// A Batch is what one transaction keeps: the events and the bad input of the
// messages up to Position.
type Batch struct {
	Position  ingest.Position
	Parts     []*Part // events of messages behind Position are left out
	Bad       []Bad
	Missing   uint64    // messages that the stream had lost before they were read
	MissingAt time.Time // when the message behind them arrived
	Noticed   time.Time // when that was noticed

	behind uint64 // events of messages up to this one are left out too
	base   uint64 // of the stream in the store, see queries.Offset
}

// Len returns the number of its events.
func (b *Batch) Len() int {
	n := 0
	for _, f := range b.frames() {
		n += f.to - f.from
	}
	return n
}

// frames returns the events of b; none of the frames is empty.
func (b *Batch) frames() []frame {
	out := make([]frame, 0, len(b.Parts))
	for _, p := range b.Parts {
		if from, to := p.behind(b.behind), p.behind(b.Position.Sequence); from < to {
			out = append(out, frame{p.frame.columns, from, to})
		}
	}
	return out
}

// Rows returns the events of b in the order of the stream.
func (b *Batch) Rows() iter.Seq[PackedRow] {
	return func(yield func(PackedRow) bool) {
		for _, f := range b.frames() {
			for i := f.from; i < f.to; i++ {
				if !yield(PackedRow{&f, i}) {
					return
				}
			}
		}
	}
}

// Bad is one piece of bad input.
type Bad struct {
	Sequence uint64 // of its message in the stream
	Replaces string // see Row
	Arrived  time.Time
	Source   string // the format it was read as
	Subject  string
	Record   ingest.Record
}

// ID returns the identity of bad input: the same bytes at the same place for
// the same reason are the same.
func (b *Bad) ID() string {
	sum := sha256.Sum256([]byte(place(&b.Record, 0) + "\n" + b.Record.Err.Error() + "\n" + string(b.Record.Raw)))
	return "q-" + hex.EncodeToString(sum[:16])
}

// hour is the hour whose books count the bad input: that of the record before
// it in the same file where that is known, since it tells no time itself.
func (b *Bad) hour() time.Time {
	if !b.Record.Near.IsZero() {
		return b.Record.Near.UTC().Truncate(time.Hour)
	}
	return b.Arrived.UTC().Truncate(time.Hour)
}

// Append keeps b in one transaction. What the store already has, by its offset
// or by an id, is left out; so a batch may be given again. On an error nothing
// of it is kept.
func (s *Store) Append(ctx context.Context, b Batch) (queries.Kept, error) {
	kept, err := s.append(ctx, b)
	if err != nil {
		return queries.Kept{}, fmt.Errorf("store %s: append %d events up to message %d: %w", s.path, b.Len(), b.Position.Sequence, err)
	}
	return kept, nil
}

func (s *Store) append(ctx context.Context, b Batch) (kept queries.Kept, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.chunk = firstChunk // the next batch is not to wait for long
	var earliest time.Time
	defer func() { s.changes.add(earliest) }() // after the commit
	if s.writer == nil {
		return kept, s.closed()
	}
	tx, err := begin(ctx, s.writer)
	if err != nil {
		return kept, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreDone(tx.Rollback()))
		}
	}()
	offset, err := queries.StoredOffset(ctx, tx, b.Position.Stream, b.Position.Created)
	if err != nil {
		return kept, err
	}
	if b.Position.Sequence <= offset.Sequence {
		earliest = never
		return kept, tx.Commit()
	}
	if kept, earliest, err = s.keep(ctx, tx, b.after(offset)); err != nil {
		return kept, err
	}
	offset.Sequence = b.Position.Sequence
	if err := queries.SetOffset(ctx, tx, b.Position.Stream, b.Position.Created, offset); err != nil {
		return kept, fmt.Errorf("set the offset: %w", err)
	}
	s.untold.Store(true)
	if err := tx.Commit(); err != nil {
		return kept, err
	}
	if kept.Stored >= freeFrom {
		s.free(ctx)
	}
	s.seen.load(s.db)
	return kept, nil
}

// after returns b without the messages that the offset covers, its positions
// made those of the store.
func (b Batch) after(offset queries.Offset) Batch {
	b.behind, b.base = max(b.behind, offset.Sequence), offset.Base
	b.Bad = b.Bad[badBehind(b.Bad, offset.Sequence):]
	return b
}

// badBehind returns the first of list whose sequence is above the one given.
func badBehind(list []Bad, sequence uint64) int {
	i, _ := slices.BinarySearchFunc(list, sequence+1, func(r Bad, s uint64) int { return cmp.Compare(r.Sequence, s) })
	return i
}

// keep stores and books what is new of b, in the transaction tx of the writer.
// It returns the earliest hour that has something of it.
func (s *Store) keep(ctx context.Context, tx queries.DB, b Batch) (kept queries.Kept, earliest time.Time, err error) {
	if err := s.replace(ctx, tx, &b); err != nil {
		return kept, earliest, fmt.Errorf("take back what was requeued: %w", err)
	}
	books := newBooks(b)
	given := b.frames()
	rows := given
	if s.seen.mayHold(given) {
		again := func(r PackedRow, o *original) {
			books.eventAgain(r)
			o.clash(r, &kept.Clash)
		}
		if rows, err = s.fresh(ctx, tx, given, queries.StoredEvents, again); err != nil {
			return kept, earliest, fmt.Errorf("find stored ids: %w", err)
		}
	}
	input := pack(b.Bad, quarantineColumns)
	bad, err := s.fresh(ctx, tx, input, queries.StoredQuarantine, books.badAgain)
	if err != nil {
		return kept, earliest, fmt.Errorf("find stored bad input: %w", err)
	}
	if err := b.noteMissing(ctx, tx); err != nil {
		return kept, earliest, fmt.Errorf("note what is missing: %w", err)
	}
	if err := s.insertEvents(ctx, tx, rows, b.base); err != nil {
		return kept, earliest, fmt.Errorf("insert events: %w", err)
	}
	if err := s.insert(ctx, tx, shapes(quarantineColumns), bad, func(ctx context.Context, db queries.DB) error {
		return queries.InsertQuarantine(ctx, db, b.base)
	}); err != nil {
		return kept, earliest, fmt.Errorf("insert quarantine: %w", err)
	}
	if err := queries.AddBooks(ctx, tx, books.pages()); err != nil {
		return kept, earliest, fmt.Errorf("book: %w", err)
	}
	kept.Stored, kept.Quarantined = count(rows), count(bad)
	kept.Deduplicated = count(given) + count(input) - kept.Stored - kept.Quarantined
	return kept, books.earliest(), nil
}

// noteMissing keeps that the stream had lost messages before they were read. It
// comes before the events of b, which are later.
func (b *Batch) noteMissing(ctx context.Context, tx queries.DB) error {
	if b.Missing == 0 {
		return nil
	}
	return queries.AddLoss(ctx, tx, queries.Loss{Noticed: b.Noticed, Kind: queries.LostBetween, Created: b.Position.Created, Behind: b.behind,
		Messages: sql.Null[uint64]{V: b.Missing, Valid: true}})
}

func (s *Store) insertEvents(ctx context.Context, tx queries.DB, rows []frame, base uint64) error {
	return s.insert(ctx, tx, shapes(eventColumns), rows, func(ctx context.Context, db queries.DB) error {
		return queries.InsertEvents(ctx, db, base)
	})
}

// staged is the name of what the writer stages.
const staged = "incoming"

// insert stages rows and runs the statement that stores them.
func (s *Store) insert(ctx context.Context, tx queries.DB, columns []shape, rows []frame, into func(context.Context, queries.DB) error) error {
	if len(rows) == 0 {
		return nil
	}
	done, err := stage(ctx, s.writer, staged, columns, gather(columns, rows))
	if err != nil {
		return err
	}
	err = into(ctx, tx)
	return errors.Join(err, done())
}

// RowGroup is how many rows DuckDB writes as a unit: an append of so many goes
// to the file without its log.
const RowGroup = 122_880

// AppendUnchecked stores the rows of b as they are: no duplicate is looked for,
// nothing is booked, no offset is set. It is the limit that [Store.Append] is
// measured against, and makes stores for benchmarks, which are opened anew
// before something is appended to them.
func (s *Store) AppendUnchecked(ctx context.Context, b Batch) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		s.untold.Store(true)
		return s.insertEvents(ctx, tx, b.frames(), b.base)
	})
}

// write runs f in a transaction of the writer, and commits it unless f fails.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	defer s.changes.add(time.Time{}) // after the commit
	if s.writer == nil {
		return s.closed()
	}
	tx, err := begin(ctx, s.writer)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// begin begins a transaction of the writer. One that knew that ctx ends would
// take the connection with it then, and nothing could be written any more; its
// statements end with ctx, and it is for the caller to roll it back.
func begin(ctx context.Context, conn *sql.Conn) (*sql.Tx, error) {
	return conn.BeginTx(context.WithoutCancel(ctx), nil)
}

// ignoreDone forgets the error of ending a transaction that has ended itself.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// storable makes text of bad input fit for the store: bytes that are no UTF-8
// are replaced, NUL is escaped.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", `\x00`)
}
