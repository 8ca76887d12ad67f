package analyze

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// An agent that never retries hears what others resolve by the first retry: of the
// same operation before the others, and only where the lower bound of it pays.
func TestBorrowTheFirstRetry(t *testing.T) {
	r := rand.New(rand.NewPCG(151, 152))
	none := Cell{Scope: Scope{Agent: "none", Operation: "y", Category: "rate_limit"}, laid: spread(chains(400, 0, nil, 0, r))}
	others := func(op string, seconds float64, hazards ...float64) (of []Cell) {
		for i, h := range hazards {
			scope := Scope{Agent: fmt.Sprint("other", i), Operation: op, Category: "rate_limit"}
			of = append(of, Cell{Scope: scope, laid: spread(chains(300, 2, []float64{h, h / 2}, seconds, r))})
		}
		return of
	}
	for _, test := range []struct {
		name    string
		around  []Cell
		verdict Verdict
		says    string
	}{
		{"they resolve", others("y", 6, 0.79, 0.75, 0.82), Raise, "3 other agents with the same operation resolved "},
		{"of the same operation first", append(others("y", 6, 0.79, 0.75, 0.82), others("z", 6, 0, 0, 0.01, 0, 0)...), Raise, "3 other agents with the same operation resolved "},
		{"they do not", others("y", 60, 0, 0.01, 0), "", ""},
		{"they differ", others("y", 60, 0.9, 0, 0.4), TooLittleData, "they differ too much to tell how it would be here. That does not tell whether a retry would pay here."},
		{"other operations", others("z", 6, 0.5, 0.6, 0.55, 0.5), Raise, "4 other agents and operations resolved "},
		{"nobody", others("y", 6, 0.8), "", ""},
	} {
		var got Suggestion
		for _, s := range tune(append([]Cell{none}, test.around...), &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}}).Suggestions {
			if s.Scope == none.Scope {
				got = s
			}
		}
		if got.Verdict != test.verdict || !strings.Contains(got.Reason.EN, test.says) || strings.Contains(got.Reason.EN+got.Reason.JA, "%!") {
			t.Errorf("%s: %s: %s %s", test.name, got.Verdict, got.Reason.EN, got.Reason.JA)
		}
		if got.Verdict == Raise && (*got.Suggested != 1 || !got.Extrapolated || got.Effect.Resolved < 100 || got.Effect.Resolved > 330) {
			t.Errorf("%s: to %d, %+v", test.name, *got.Suggested, got.Effect)
		}
		if got.Verdict == Raise && (got.Effect.Interval.Resolved[0] < 0 || got.Effect.Interval.Resolved[1] > 400) {
			t.Errorf("%s: %+v", test.name, got.Effect.Interval)
		}
	}
}
