package analyze

import (
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
