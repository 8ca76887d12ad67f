package analyze

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"hansei/queries"
)

// Every number that was added is found, through all growth.
func TestShardHoldsWhatWasAdded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s shard
	want := map[uint32]bool{}
	for range 20_000 {
		n := max(random.Uint32()>>(random.Uint32()%24), 1) // small ones often
		if s.add(n) != want[n] {
			t.Fatalf("%d was there: %v", n, !want[n])
		}
		want[n] = true
	}
	for n := range want {
		if !s.add(n) {
			t.Fatalf("%d is lost", n)
		}
	}
	if s.used != len(want) || len(s.slots) > 2*len(want) {
		t.Errorf("%d numbers of %d in %d slots", s.used, len(want), len(s.slots))
	}
}

// What was stored before the file was opened is found before all ids are read,
// while they are, and after.
func TestOldIDsAreNotStoredAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.duckdb")
	s := openStore(t, path)
	const some = 20
	n := uint64(0)
	for i := range some {
		n++
		keep(t, s, upTo(n, row(n, fmt.Sprint("old", i))), queries.Kept{Stored: 1})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, path)
	for i := range some {
		n += 2
		keep(t, s, upTo(n, row(n-1, fmt.Sprint("old", i)), row(n, fmt.Sprint("new", i))), queries.Kept{Stored: 1, Deduplicated: 1})
		if i == some/2 {
			waitWhole(t, s)
		}
	}
	n += 2
	keep(t, s, upTo(n, row(n-1, "twice"), row(n, "twice")), queries.Kept{Stored: 1, Deduplicated: 1})
	if s.seen.mayHold(nil) {
		t.Error("a batch of no events may hold a stored one")
	}
}

// A store that is born knows all of its ids, so that its first events cost no
// question; one that holds any does not.
func TestNewStoreKnowsItsIDs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.duckdb")
	s := openStore(t, path)
	if !s.seen.whole {
		t.Error("an empty store does not know that it holds no id")
	}
	keep(t, s, upTo(2, row(1, "a"), row(2, "a")), queries.Kept{Stored: 1, Deduplicated: 1})
	keep(t, s, upTo(3, row(3, "a")), queries.Kept{Deduplicated: 1})
	if err := s.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.seen.whole {
		t.Error("a store of one event knows its ids unread")
	}
	keep(t, s, upTo(4, row(4, "a")), queries.Kept{Deduplicated: 1})
}

func waitWhole(t testing.TB, s *Store) {
	t.Helper()
	s.seen.loading.Wait()
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	if !s.seen.whole {
		t.Error("the ids were not read")
	}
}

// BenchmarkAppendBeside measures a batch of a quarter of a second beside many
// events whose ids are random: as the store is asked about its ids, and as they
// are remembered.
func BenchmarkAppendBeside(b *testing.B) {
	const stored, size = 1 << 20, 4096
	s := openStore(b, filepath.Join(b.TempDir(), "a.duckdb"))
	random := rand.New(rand.NewPCG(1, 2))
	n := uint64(0)
	batch := func(size int) Batch {
		k := NewPacker()
		for range size {
			n++
			r := row(n, fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()))
			r.Event.Time = noon.Add(time.Duration(n) * time.Millisecond)
			k.Add(&r)
		}
		batch := upTo(n)
		batch.Parts = []*Part{k.Part()}
		return batch
	}
	for n < stored {
		if _, err := s.Append(b.Context(), batch(RowGroup)); err != nil {
			b.Fatal(err)
		}
	}
	waitWhole(b, s)
	for _, asked := range []bool{true, false} {
		b.Run(map[bool]string{true: "asked", false: "remembered"}[asked], func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				some := batch(size)
				s.seen.whole = !asked
				b.StartTimer()
				if _, err := s.Append(b.Context(), some); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
