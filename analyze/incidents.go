package analyze

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"hansei/queries"
)

// How many events one transaction tells incidents of, while the writer waits: at
// first, which takes about as long as a batch of the stream, and at most, which
// bounds its memory. Many small ones take half again as long as few large ones,
// so that each is twice the one before, until something is appended.
const (
	firstChunk = 100_000
	mostChunk  = 300_000
)

// Current returns what questions about incidents are asked through, after the
// incidents have been made to tell of every event stored before the call.
func (s *Store) Current(ctx context.Context) (queries.DB, error) {
	if err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.Reader(), nil
}

// Refresh makes the incidents tell of every event stored before the call. It
// is quick where that is so already.
func (s *Store) Refresh(ctx context.Context) error {
	for more := s.untold.Load(); more; {
		var err error
		if more, err = s.refresh(ctx); err != nil {
			return fmt.Errorf("store %s: %w", s.path, err)
		}
	}
	return nil
}

// refresh tells incidents of one chunk of events, and says whether more wait.
func (s *Store) refresh(ctx context.Context) (more bool, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.tell(ctx)
}

// tell is refresh for whoever holds writing.
func (s *Store) tell(ctx context.Context) (more bool, err error) {
	if s.writer == nil {
		return false, s.closed()
	}
	more, err = s.tellChunk(ctx)
	if ctx.Err() == nil {
		s.behind.note(err)
	}
	return more, err
}

func (s *Store) tellChunk(ctx context.Context) (more bool, err error) {
	chunk := cmp.Or(s.chunk, firstChunk)
	bound, err := queries.NextIncidents(ctx, s.writer, chunk)
	if err != nil {
		return false, err
	}
	if !bound.Valid {
		s.untold.Store(false) // nobody appends while the writer is held
		return false, nil
	}
	tx, err := begin(ctx, s.writer)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := queries.TellIncidents(ctx, tx, bound.V); err != nil {
		return false, err
	}
	earliest, err := queries.EarliestTold(ctx, tx)
	if err != nil {
		return false, err
	}
	if err := tx.Commit(); err != nil {
		return false, err
	}
	if chunk > firstChunk { // while serve keeps up, chunks are small and leave little behind
		s.free(ctx)
	}
	s.chunk = min(2*chunk, mostChunk)
	if earliest.Valid {
		s.changes.found(earliest.V)
	}
	return true, nil
}

// behind notes since when the incidents cannot be made to tell of all events.
// The zero value says that they can.
type behind struct {
	mu    sync.Mutex
	err   error
	since time.Time
}

func (b *behind) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.since = time.Now()
	}
	b.err = err
}

// Behind returns why the incidents do not tell of every event, so that no report
// can be made, and since when; nil unless the last try to make them failed.
func (s *Store) Behind() error {
	s.behind.mu.Lock()
	defer s.behind.mu.Unlock()
	if s.behind.err == nil {
		return nil
	}
	return fmt.Errorf("incidents cannot be brought up to date since %s, so that no report can be made; events are stored: %w",
		s.behind.since.UTC().Format(time.RFC3339), s.behind.err)
}
