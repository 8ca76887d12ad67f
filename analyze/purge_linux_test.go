package analyze

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// resident returns the bytes of memory that the process holds.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// What DuckDB needed for a row group is given back when the batch is kept. A
// program with another allocator than DuckDB's would not need that, and is told
// by this test.
func TestMemoryOfABatchIsGivenBack(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "a.duckdb"))
	k := NewPacker()
	n := 0
	next := func() Batch {
		for range RowGroup {
			n++
			r := row(uint64(n), fmt.Sprint("e", n))
			k.Add(&r)
		}
		b := upTo(uint64(n))
		b.Parts = []*Part{k.Part()}
		return b
	}
	heldBy := func(keep func(Batch) error) int {
		b := next()
		purge()
		if err := keep(b); err != nil {
			t.Fatal(err)
		}
		before := resident(t)
		purge()
		return before - resident(t)
	}
	unchecked := heldBy(func(b Batch) error { return s.AppendUnchecked(t.Context(), b) })
	kept := heldBy(func(b Batch) error { _, err := s.Append(t.Context(), b); return err })
	t.Logf("held after a commit: %d KiB unchecked, %d KiB kept", unchecked>>10, kept>>10)
	if unchecked < 16<<20 || kept > unchecked/2 {
		t.Errorf("%d bytes could be given back after AppendUnchecked, which gives nothing back, and %d after Append", unchecked, kept)
	}
}
