package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

// A Batch is what one transaction keeps: the events and the bad input of the
// messages up to Position.
type Batch struct {
	Position  ingest.Position
	Rows      []Row
	Bad       []Bad
	Missing   uint64    // messages that the stream had lost before they were read
	MissingAt time.Time // when that was noticed

	base uint64 // of the stream in the store, see queries.Offset
}

// A Row is one event with its tags.
type Row struct {
	Sequence uint64 // of its message in the stream
	Replaces string // id of the quarantined input that its message stands for; empty: none
	classify.Tagged
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
		return queries.Kept{}, fmt.Errorf("store %s: append %d events up to message %d: %w", s.path, len(b.Rows), b.Position.Sequence, err)
	}
	return kept, nil
}

func (s *Store) append(ctx context.Context, b Batch) (kept queries.Kept, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return kept, errClosed
	}
	tx, err := s.writer.BeginTx(ctx, nil)
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
		return kept, tx.Commit()
	}
	if kept, err = s.keep(ctx, tx, b.after(offset)); err != nil {
		return kept, err
	}
	offset.Sequence = b.Position.Sequence
	if err := queries.SetOffset(ctx, tx, b.Position.Stream, b.Position.Created, offset); err != nil {
		return kept, fmt.Errorf("set the offset: %w", err)
	}
	s.untold.Store(true)
	return kept, tx.Commit()
}

// after returns b without the messages that the offset covers, its positions
// made those of the store.
func (b Batch) after(offset queries.Offset) Batch {
	row, _ := slices.BinarySearchFunc(b.Rows, offset.Sequence+1, func(r Row, s uint64) int { return cmp.Compare(r.Sequence, s) })
	bad, _ := slices.BinarySearchFunc(b.Bad, offset.Sequence+1, func(r Bad, s uint64) int { return cmp.Compare(r.Sequence, s) })
	b.Rows, b.Bad, b.base = b.Rows[row:], b.Bad[bad:], offset.Base
	return b
}

// keep stores and books what is new of b, in the transaction tx of the writer.
func (s *Store) keep(ctx context.Context, tx queries.DB, b Batch) (kept queries.Kept, err error) {
	if err := s.replace(ctx, tx, &b); err != nil {
		return kept, fmt.Errorf("take back what was requeued: %w", err)
	}
	books := newBooks(b)
	rows, err := fresh(ctx, s, tx, queries.StoredEvents, b.Rows, func(r *Row) string { return r.Event.ID }, books.eventAgain)
	if err != nil {
		return kept, fmt.Errorf("find stored ids: %w", err)
	}
	bad, err := fresh(ctx, s, tx, queries.StoredQuarantine, b.Bad, (*Bad).ID, books.badAgain)
	if err != nil {
		return kept, fmt.Errorf("find stored bad input: %w", err)
	}
	if err := insert(ctx, s, tx, queries.InsertEvents, rows, rowColumns(b.base)); err != nil {
		return kept, fmt.Errorf("insert events: %w", err)
	}
	if err := insert(ctx, s, tx, queries.InsertQuarantine, bad, badColumns(b.base)); err != nil {
		return kept, fmt.Errorf("insert quarantine: %w", err)
	}
	if err := queries.AddBooks(ctx, tx, books.pages()); err != nil {
		return kept, fmt.Errorf("book: %w", err)
	}
	kept.Stored, kept.Quarantined = int64(len(rows)), int64(len(bad))
	kept.Deduplicated = int64(len(b.Rows)+len(b.Bad)) - kept.Stored - kept.Quarantined
	return kept, nil
}

// staged is the name of what the writer stages.
const staged = "incoming"

// insert stages rows and runs the statement that stores them.
func insert[R any](ctx context.Context, s *Store, tx queries.DB, into func(context.Context, queries.DB) error, rows []R, columns []column[R]) error {
	if len(rows) == 0 {
		return nil
	}
	done, err := stage(ctx, s.writer, staged, rows, columns)
	if err != nil {
		return err
	}
	err = into(ctx, tx)
	return errors.Join(err, done())
}

// fresh returns rows without those whose id is stored already or came before
// among them, and calls again for each that it leaves out.
func fresh[R any](ctx context.Context, s *Store, tx queries.DB, stored func(context.Context, queries.DB) ([]string, error),
	rows []R, id func(*R) string, again func(*R)) ([]R, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = id(&rows[i])
	}
	done, err := stage(ctx, s.writer, staged, ids, idColumns)
	if err != nil {
		return nil, err
	}
	known, err := stored(ctx, tx)
	if err := errors.Join(err, done()); err != nil {
		return nil, err
	}
	seen := make(map[string]struct{}, len(ids)+len(known))
	for _, id := range known {
		seen[id] = struct{}{}
	}
	var out []R // a copy only once something is left out
	for i := range rows {
		if _, ok := seen[ids[i]]; ok {
			if out == nil {
				out = append(make([]R, 0, len(rows)), rows[:i]...)
			}
			again(&rows[i])
			continue
		}
		seen[ids[i]] = struct{}{}
		if out != nil {
			out = append(out, rows[i])
		}
	}
	if out == nil {
		return rows, nil
	}
	return out, nil
}

// RowGroup is how many rows DuckDB writes as a unit: an append of so many goes
// to the file without its log.
const RowGroup = 122_880

// AppendUnchecked stores the rows of b as they are: no duplicate is looked for,
// nothing is booked, no offset is set. It is the limit that [Store.Append] is
// measured against, and makes stores for benchmarks.
func (s *Store) AppendUnchecked(ctx context.Context, b Batch) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		s.untold.Store(true)
		return insert(ctx, s, tx, queries.InsertEvents, b.Rows, rowColumns(b.base))
	})
}

// write runs f in a transaction of the writer, and commits it unless f fails.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return errClosed
	}
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// ignoreDone forgets the error of ending a transaction that has ended itself.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// text makes text of bad input storable: bytes that are no UTF-8 are replaced,
// NUL is escaped.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", `\x00`)
}

// Halve splits b between two messages, so that the halves can be kept one
// after the other; false when it holds one message only.
func (b Batch) Halve() (first, second Batch, ok bool) {
	var sequences []uint64
	for i := range b.Rows {
		sequences = append(sequences, b.Rows[i].Sequence)
	}
	for i := range b.Bad {
		sequences = append(sequences, b.Bad[i].Sequence)
	}
	slices.Sort(sequences)
	sequences = slices.Compact(sequences)
	if len(sequences) < 2 {
		return b, b, false
	}
	last := sequences[len(sequences)/2-1] // of the first half
	first, second = b, b
	row, _ := slices.BinarySearchFunc(b.Rows, last+1, func(r Row, s uint64) int { return cmp.Compare(r.Sequence, s) })
	bad, _ := slices.BinarySearchFunc(b.Bad, last+1, func(r Bad, s uint64) int { return cmp.Compare(r.Sequence, s) })
	first.Rows, second.Rows = b.Rows[:row:row], b.Rows[row:]
	first.Bad, second.Bad = b.Bad[:bad:bad], b.Bad[bad:]
	first.Position.Sequence = last
	second.Missing = 0
	return first, second, true
}

// Refused turns the events of b, which hold one message, into bad input: the
// store takes them under no circumstances, for the cause given.
func (b Batch) Refused(cause error) Batch {
	for i := range b.Rows {
		r := &b.Rows[i]
		b.Bad = append(b.Bad, Bad{
			Sequence: r.Sequence, Replaces: r.Replaces, Arrived: r.Event.Time, Source: r.Event.Source,
			Record: ingest.Record{Err: fmt.Errorf("the store refused it: %v", cause), Raw: r.Event.AppendJSON(nil)},
		})
	}
	b.Rows = nil
	return b
}
