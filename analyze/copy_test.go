package analyze

import (
	"path/filepath"
	"testing"

	"hansei/queries"
)

// A copy of a store that is open and written to answers what the store does, and
// takes nothing.
func TestCopyAnswers(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, filepath.Join(dir, "a.duckdb"))
	keep(t, s, upTo(2, row(1, "a"), row(2, "b")), queries.Kept{Stored: 2}) // lies in the log
	path := filepath.Join(dir, "copy.duckdb")
	if err := s.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	keep(t, s, upTo(3, row(3, "c")), queries.Kept{Stored: 1})
	c, err := OpenCopy(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, c, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM v_incidents), current_setting('max_temp_directory_size')"); got != "2 2 1.0 GiB" {
		t.Errorf("the copy has %s", got)
	}
	if _, err := c.Append(t.Context(), upTo(3, row(3, "c"))); err == nil {
		t.Error("the copy took a batch")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
