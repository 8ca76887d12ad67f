package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"hansei/queries"
)

// replace takes the bad input for which messages of b stand out of quarantine
// and out of the books, within the transaction that keeps those messages: so
// it is in the store either as it was or as what was made of it, never both
// and never neither. It is gone from the books as if it had never been
// published, since the message that stands for it is booked as a publication
// of its own: published = stored + deduplicated + quarantined + expired holds
// at every moment, and still counts each piece of input once.
func (s *Store) replace(ctx context.Context, tx queries.DB, b *Batch) error {
	replaced := b.replaced()
	if len(replaced) == 0 {
		return nil
	}
	// Input that came in this very batch, as it does when a stream is read
	// again, is not stored yet.
	b.Bad = slices.DeleteFunc(slices.Clone(b.Bad), func(bad Bad) bool { return bad.Sequence < replaced[bad.ID()] })
	return s.insert(ctx, tx, idShape, pack(slices.Sorted(maps.Keys(replaced)), idColumns), queries.TakeBack)
}

// replaced returns the ids of the bad input for which messages of b stand, and
// the sequence of the last such message.
func (b *Batch) replaced() map[string]uint64 {
	var out map[string]uint64
	note := func(id string, sequence uint64) {
		if id == "" {
			return
		}
		if out == nil {
			out = map[string]uint64{}
		}
		out[id] = max(out[id], sequence)
	}
	for _, p := range b.Parts {
		for _, r := range p.replaces {
			if b.behind < r.sequence && r.sequence <= b.Position.Sequence {
				note(r.id, r.sequence)
			}
		}
	}
	for i := range b.Bad {
		note(b.Bad[i].Replaces, b.Bad[i].Sequence)
	}
	return out
}

// Drop deletes bad input for good and returns its ids. The books keep it in
// their column quarantined.
func (s *Store) Drop(ctx context.Context, c queries.Chosen) ([]string, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	defer s.changes.add(time.Time{}) // after the commit
	if s.writer == nil {
		return nil, s.closed()
	}
	ids, err := queries.DropQuarantined(ctx, s.writer, c)
	if err != nil {
		return nil, fmt.Errorf("store %s: drop from quarantine: %w", s.path, err)
	}
	return ids, nil
}
