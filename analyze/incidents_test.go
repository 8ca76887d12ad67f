package analyze

import (
	"fmt"
	"testing"

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
