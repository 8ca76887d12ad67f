package analyze

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"hansei/queries"
)

// Of many events ever more are told of at once, until a batch comes: the next
// one waits for few.
func TestFewEventsAreToldOfBesideBatches(t *testing.T) {
	s := openStore(t, "")
	for n := uint64(1); n < 4; n++ {
		keep(t, s, upTo(n, row(n, fmt.Sprint("e", n))), queries.Kept{Stored: 1})
		if s.chunk != firstChunk {
			t.Errorf("after batch %d the next chunk is of %d events, want %d", n, s.chunk, firstChunk)
		}
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.chunk != 2*firstChunk {
			t.Errorf("behind a chunk the next one is of %d events, want %d", s.chunk, 2*firstChunk)
		}
	}
}

// Behind tells of the last try to bring incidents up to date.
func TestBehind(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "s.duckdb"))
	exec := func(statement string) {
		t.Helper()
		if _, err := s.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	keep(t, s, upTo(1, row(1, "a")), queries.Kept{Stored: 1})
	if err := s.Behind(); err != nil {
		t.Errorf("before anybody asked: %v", err)
	}
	exec("ALTER TABLE openings RENAME TO lost")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Refresh(stopped); err == nil || s.Behind() != nil {
		t.Errorf("who asked has gone: %v, %v", err, s.Behind())
	}
	var first time.Time
	for range 2 {
		if err := s.Refresh(t.Context()); err == nil || s.Behind() == nil {
			t.Fatalf("incidents are behind: %v, %v", err, s.Behind())
		}
		if first = cmp.Or(first, s.behind.since); !s.behind.since.Equal(first) {
			t.Errorf("since %s, want the first failure's %s", s.behind.since, first)
		}
	}
	exec("ALTER TABLE lost RENAME TO openings")
	if err := s.Refresh(t.Context()); err != nil || s.Behind() != nil {
		t.Errorf("incidents are up to date: %v, %v", err, s.Behind())
	}
}
