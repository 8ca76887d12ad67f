package analyze

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hansei/queries"
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

// What DuckDB needed for a row group, and for its incidents, is given back when
// they are kept, and its limit is as it was.
func TestFreedMemoryIsGivenBack(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "a.duckdb"))
	limit := ask(t, s, "SELECT current_setting('memory_limit')")
	free := func() {
		if err := queries.FreeMemory(t.Context(), s.writer, s.Memory()); err != nil {
			t.Fatal(err)
		}
	}
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
		free()
		if err := keep(b); err != nil {
			t.Fatal(err)
		}
		before := resident(t)
		free()
		return before - resident(t)
	}
	unchecked := heldBy(func(b Batch) error { return s.AppendUnchecked(t.Context(), b) })
	kept := heldBy(func(b Batch) error { _, err := s.Append(t.Context(), b); return err })
	told := heldBy(func(Batch) error { return s.Refresh(t.Context()) })
	t.Logf("held after a commit: %d KiB unchecked, %d KiB kept, %d KiB told", unchecked>>10, kept>>10, told>>10)
	if unchecked < 16<<20 || kept > unchecked/2 || told > unchecked/2 {
		t.Errorf("%d bytes could be given back after AppendUnchecked, which gives nothing back, %d after Append, and %d after the incidents were made", unchecked, kept, told)
	}
	if got := ask(t, s, "SELECT current_setting('memory_limit')"); got != limit {
		t.Errorf("the memory limit was %s and is %s", limit, got)
	}
}
