package analyze

import (
	"path/filepath"
	"testing"

	"hansei/classify"
	"hansei/queries"
)

// A fingerprint of an older version would make every known fault look new: tagging
// again renews it, though category and rule stay.
func TestRetagRenewsFingerprints(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "a.duckdb"))
	c, err := classify.New(classify.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	old := row(1, "a")
	now := c.Tag(old.Event)
	old.Tag = now
	old.Tag.Fingerprint = "f1:0"
	keep(t, s, upTo(1, old), queries.Kept{Stored: 1})
	for _, test := range []struct {
		apply bool
		want  string
	}{{false, "f1:0"}, {true, now.Fingerprint}} {
		moves, err := s.Retag(t.Context(), queries.Always(), c, test.apply)
		if err != nil || len(moves) > 0 {
			t.Fatal(moves, err)
		}
		if got := ask(t, s, "SELECT fingerprint FROM events"); got != test.want {
			t.Errorf("apply %v: %s, want %s", test.apply, got, test.want)
		}
	}
}
