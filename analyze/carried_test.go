package analyze

import (
	"database/sql"
	"reflect"
	"testing"
	"time"

	"hansei/queries"
)

// What people decided outlives the store that it was decided in.
func TestCarried(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	old, young := openStore(t, ""), openStore(t, "")
	q := Tuning{From: at.AddDate(0, -1, 0), To: at, Suggestions: []Suggestion{{ID: "s-1", Due: at.AddDate(0, 1, 0), Verdict: Raise, Knob: "max_retries", Current: new(int64), Suggested: new(int64)}}}
	if err := old.KeepSuggestions(t.Context(), &q, at); err != nil {
		t.Fatal(err)
	}
	decisions := []queries.Decision{{ID: "s-1", Made: at, Decision: Accepted, Who: "ann", Reason: "fits", Body: "{}"}}
	changes := []queries.PolicyChange{{Agent: "bot", Operation: "fetch", Category: "network", Knob: "max_retries", Value: 3, Since: at, Reason: "fits", Who: "ann", Suggestion: "s-1", Setting: "3", Previous: "2"}}
	if err := old.Decide(t.Context(), decisions, time.Time{}, changes); err != nil {
		t.Fatal(err)
	}
	want, err := old.Carried(t.Context())
	if err != nil || len(want.suggestions) != 1 || want.Decisions() != 2 {
		t.Fatalf("carried %+v, %v", want, err)
	}
	if err := young.Carry(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got, err := young.Carried(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after it was carried: %+v, %v; want %+v", got, err, want)
	}
}

// What was lost of the stream is known to the store that takes the place of the one
// that noticed it, once: what it meets or reads itself it does not keep again.
func TestLossesAreCarried(t *testing.T) {
	old, young := openStore(t, ""), openStore(t, "")
	damaged := Found{Tip: at(birth, 7), First: 1, Damaged: 1, Held: 12}
	meet := func(s *Store, now time.Time) {
		t.Helper()
		if _, _, err := s.Meet(t.Context(), damaged, now); err != nil {
			t.Fatal(err)
		}
	}
	read := func(s *Store) {
		t.Helper()
		keepFirst(t, s, 5)
		b := upTo(9, row(9, "x"))
		b.Missing = 3
		keep(t, s, b, queries.Kept{Stored: 1})
	}
	read(old)
	meet(old, noon.AddDate(0, 3, 0))
	first := at(birth, 0)
	if err := old.write(t.Context(), func(tx *sql.Tx) error {
		return queries.AddLoss(t.Context(), tx, queries.Loss{Noticed: noon, Since: noon.AddDate(0, 0, -1), Kind: queries.LostStream, Created: first.Created.AddDate(0, -1, 0), Behind: 2})
	}); err != nil {
		t.Fatal(err)
	}
	carried, err := old.Carried(t.Context())
	if err != nil || carried.Losses() != 3 {
		t.Fatalf("carried %+v, %v", carried, err)
	}
	meet(young, noon.AddDate(0, 3, 0))
	if err := young.Carry(t.Context(), carried); err != nil {
		t.Fatal(err)
	}
	read(young)
	got, err := queries.Losses(t.Context(), young.Reader(), queries.Always())
	if want := "end 7 5; gap 5 3; anew 2 unknown"; err != nil || lossesOf(got) != want || !got[2].Since.Equal(noon.AddDate(0, 0, -1)) {
		t.Errorf("kept %s, %v; want %s", lossesOf(got), err, want)
	}
}
