package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

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
}

// A Row is one event with its tags.
type Row struct {
	Sequence uint64 // of its message in the stream
	classify.Tagged
}

// Bad is one piece of bad input.
type Bad struct {
	Sequence uint64 // of its message in the stream
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
	if err := queries.ClearIncoming(ctx, tx); err != nil {
		return kept, err
	}
	if err := s.fill(b, offset); err != nil {
		return kept, err
	}
	offset.Sequence = b.Position.Sequence
	kept, err = queries.KeepIncoming(ctx, tx, b.Position.Stream, b.Position.Created, offset, queries.Loss{Count: b.Missing, At: b.MissingAt})
	if err != nil {
		return kept, err
	}
	kept.Deduplicated = int64(len(b.Rows)+len(b.Bad)) - kept.Stored - kept.Quarantined
	return kept, tx.Commit()
}

// ignoreDone forgets the error of ending a transaction that has ended itself.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// fill puts the batch into the temporary tables, but for messages that the
// offset covers.
func (s *Store) fill(b Batch, offset queries.Offset) error {
	seen := make(map[string]bool, len(b.Rows))
	err := s.appender("incoming", func(add func(...driver.Value) error) error {
		for i := range b.Rows {
			r := &b.Rows[i]
			if r.Sequence <= offset.Sequence {
				continue
			}
			again := seen[r.Event.ID]
			seen[r.Event.ID] = true
			if err := add(r.values(offset.Base, again)...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.appender("incoming_bad", func(add func(...driver.Value) error) error {
		for i := range b.Bad {
			bad := &b.Bad[i]
			if bad.Sequence <= offset.Sequence {
				continue
			}
			id := bad.ID()
			again := seen[id]
			seen[id] = true
			err := add(id, bad.Arrived.UTC(), bad.hour(), text(bad.Source), text(bad.Subject), text(place(&bad.Record, bad.Sequence)),
				text(bad.Record.Err.Error()), text(string(bad.Record.Raw)), offset.Base+bad.Sequence, again)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// appender runs fill with an appender of one of the writer's temporary tables.
func (s *Store) appender(table string, fill func(add func(...driver.Value) error) error) error {
	return s.writer.Raw(func(conn any) error {
		a, err := duckdb.NewAppender(conn.(driver.Conn), "temp", "main", table)
		if err != nil {
			return err
		}
		return errors.Join(fill(a.AppendRow), a.Close())
	})
}

// values are the columns of the table events in their order, then again.
func (r *Row) values(base uint64, again bool) []driver.Value {
	e := &r.Event
	return []driver.Value{
		e.ID, e.Time, string(e.Kind), e.Agent, nullText(e.Session), nullable(e.Turn), nullText(e.Operation), nullText(e.Step),
		nullText(e.Component), nullText(e.ArgsHash), nullText(e.Incident), nullable(e.Attempt), nullable(e.MaxRetries),
		nullable(e.WaitMS), nullable(e.DurationMS), nullText(e.Code), nullText(e.Status), nullText(e.Message), nullText(e.Detail),
		nullText(r.Tag.Resolution), nullText(freeText(e.Resolution, r.Tag.Resolution)), nullable(e.Score), nullable(e.ScoreBar),
		nullText(e.ScoreName), nullText(e.Provider), nullText(e.Model), nullable(e.Tokens), nullable(e.CostUSD),
		nullText(e.TraceID), e.Source, attrs(e.Attrs),
		nullText(r.Tag.Taxonomy), nullText(r.Tag.Category), retryable(r.Tag), nullText(r.Tag.Rule), nullText(r.Tag.Fingerprint),
		base + r.Sequence, again,
	}
}

// freeText returns what the source wrote, unless that is the tag itself.
func freeText(written string, tag classify.Resolution) string {
	if written == string(tag) {
		return ""
	}
	return written
}

func retryable(tag classify.Tag) driver.Value {
	if tag.Category == "" {
		return nil
	}
	return tag.Retryable
}

func attrs(m map[string]string) driver.Value {
	if len(m) == 0 {
		return nil
	}
	var out duckdb.OrderedMap
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out.Set(key, m[key])
	}
	return out
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
			Sequence: r.Sequence, Arrived: r.Event.Time, Source: r.Event.Source,
			Record: ingest.Record{Err: fmt.Errorf("the store refused it: %v", cause), Raw: r.Event.AppendJSON(nil)},
		})
	}
	b.Rows = nil
	return b
}
