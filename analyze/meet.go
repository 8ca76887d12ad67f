package analyze

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// A Found is a stream as it was found, by which a store knows what it missed.
type Found struct {
	Tip     ingest.Position   // its identity and its last sequence
	First   uint64            // the first sequence that it holds; behind the last one where it holds none
	Damaged uint64            // bytes that its server could not read
	Held    uint64            // the last message that stood in the damaged files; 0: nobody knows
	Ended   []ingest.Position // streams that were closed before, each at its end; of this one told once
	Ours    []time.Time       // births of all streams that its server had; nil: nobody knows
}

// Meet returns how far the stream is stored, which is where to read on, and what
// was lost since the store met it last: that is kept and booked in the same
// transaction, so it is told once. Of a stream that ends before what is stored
// the store lets go: it is read again from its beginning.
func (s *Store) Meet(ctx context.Context, f Found, now time.Time) (at ingest.Position, lost []queries.Loss, err error) {
	at = f.Tip
	err = s.write(ctx, func(tx *sql.Tx) error {
		m := meeting{Found: f, now: now, tx: tx}
		if err := m.meet(ctx); err != nil {
			return err
		}
		at.Sequence = m.sequence
		lost = slices.DeleteFunc(m.lost, func(l queries.Loss) bool { return l.Messages.Valid && l.Messages.V == 0 })
		return nil
	})
	if err != nil {
		return f.Tip, nil, fmt.Errorf("store %s: hold it against the stream %s: %w", s.path, f.Tip.Stream, err)
	}
	return at, lost, nil
}

// A meeting is that of a store and a stream.
type meeting struct {
	Found
	now      time.Time
	tx       queries.DB
	sequence uint64 // up to which it is stored
	lost     []queries.Loss
}

func (m *meeting) meet(ctx context.Context) error {
	name, created := m.Tip.Stream, m.Tip.Created
	known, err := queries.StreamKnown(ctx, m.tx, name, created, m.Ours)
	if err != nil {
		return err
	}
	offset, err := queries.StoredOffset(ctx, m.tx, name, created)
	if err != nil {
		return err
	}
	m.sequence = offset.Sequence
	switch {
	case known.Known && offset.Sequence > m.Tip.Sequence:
		m.lose(queries.LostEnd, offset.Sequence, created)
		if err := queries.ForgetOffset(ctx, m.tx, name, created, m.now); err != nil {
			return err
		}
		known.Known, m.sequence = false, m.First-1 // what it lost at its beginning was stored once
	case known.Other && !known.Known:
		m.lose(queries.LostStream, known.OtherSequence, known.OtherCreated)
	default:
		if !known.Any && m.First > 1 && m.Damaged == 0 { // of a damaged one the first message tells what is missing
			m.sequence = m.First - 1
			m.lost = append(m.lost, queries.Loss{Kind: queries.LostStart, Messages: sql.Null[uint64]{V: m.First - 1, Valid: true}})
		}
		if err := m.damage(ctx); err != nil {
			return err
		}
		if known.Known && m.First > m.Tip.Sequence && m.sequence < m.Tip.Sequence { // it is empty: no message will tell of the gap
			m.lost = append(m.lost, queries.Loss{Kind: queries.LostBetween, Behind: m.sequence, Messages: sql.Null[uint64]{V: m.Tip.Sequence - m.sequence, Valid: true}})
			known.Known, m.sequence = false, m.Tip.Sequence
		}
	}
	if !known.Known {
		if err := m.begin(ctx); err != nil {
			return err
		}
	}
	return m.keep(ctx)
}

// begin begins the offset of a stream that is new to the store.
func (m *meeting) begin(ctx context.Context) error {
	offset, err := queries.StoredOffset(ctx, m.tx, m.Tip.Stream, m.Tip.Created)
	if err != nil {
		return err
	}
	offset.Sequence = m.sequence
	return queries.SetOffset(ctx, m.tx, m.Tip.Stream, m.Tip.Created, offset)
}

// ended returns the last message of the stream of that birth when it was closed;
// false: nobody knows.
func (m *meeting) ended(created time.Time) (last uint64, known bool) {
	for _, p := range m.Ended {
		if p.Created.Equal(created) {
			last, known = p.Sequence, true
		}
	}
	return last, known
}

// lose notes that what the stream of that birth held behind a message is gone.
// That nothing was there is kept too, so that the damage is judged once.
func (m *meeting) lose(kind queries.LossKind, behind uint64, created time.Time) {
	l := queries.Loss{Kind: kind, Behind: behind, Damaged: m.Damaged}
	ended, known := m.ended(created)
	if held := max(m.Held, ended); known || held > 0 {
		l.Messages = sql.Null[uint64]{V: max(held, behind) - behind, Valid: true}
	}
	m.lost = append(m.lost, l)
}

// damage notes what a stream has lost behind its end that is damaged, or ended
// farther when it was closed.
func (m *meeting) damage(ctx context.Context) error {
	ended, _ := m.ended(m.Tip.Created)
	if m.Damaged == 0 && ended <= m.Tip.Sequence {
		return nil
	}
	told, err := queries.LossTold(ctx, m.tx, m.Tip.Created, m.Damaged, ended)
	if err == nil && !told {
		m.lose(queries.LostEnd, m.Tip.Sequence, m.Tip.Created)
	}
	return err
}

// keep keeps and books the losses. What a new store does not have is not booked:
// it may have been stored in another one.
func (m *meeting) keep(ctx context.Context) error {
	for i := range m.lost {
		l := &m.lost[i]
		l.Noticed, l.Created = m.now, m.Tip.Created
		if err := queries.AddLoss(ctx, m.tx, *l); err != nil {
			return err
		}
		if l.Kind == queries.LostStart || l.Messages.V == 0 {
			continue
		}
		page := queries.BookPage{Hour: m.now.UTC().Truncate(time.Hour), Published: l.Messages.V, Expired: l.Messages.V} // nobody knows whose they were
		if err := queries.AddBooks(ctx, m.tx, []queries.BookPage{page}); err != nil {
			return err
		}
	}
	return nil
}
