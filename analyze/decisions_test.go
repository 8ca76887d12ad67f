package analyze

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"hansei/queries"
)

// The worked example of Newcombe 1998: 56 of 70 against 48 of 80 differ by 0.2,
// from 0.0524 to 0.3339.
func TestDifference(t *testing.T) {
	got := difference(tally{48, 80}, tally{56, 70})
	if math.Abs(got[0]-0.0524) > 5e-5 || math.Abs(got[1]-0.3339) > 5e-5 {
		t.Errorf("%v, want 0.0524 to 0.3339", got)
	}
}

// A suggestion that was accepted is held against the incidents after it.
func TestOutcomes(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	s := Suggestion{ID: "s-1", Scope: Scope{Agent: "a"}, Knob: "max_retries", Suggested: number(2), Evidence: []Evidence{{Retry: 1, AtRisk: 400, Hazard: 0.5}, {Retry: 2, AtRisk: 200, Hazard: 0.4}}}
	body, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	made := january().From
	for _, test := range []struct {
		name, decision string
		n              int
		hazards        []float64
		after          time.Duration // from the decision to the incidents
		want           string
	}{
		{"as predicted", "accepted", 300, []float64{0.5, 0.4}, time.Hour, Kept},
		{"much worse", "applied", 300, []float64{0.2, 0.1}, time.Hour, RollBack},
		{"much better", "accepted", 300, []float64{0.8, 0.8}, time.Hour, Better},
		{"few incidents", "accepted", 10, []float64{0.1, 0.1}, time.Hour, TooEarly},
		{"all before it", "accepted", 300, []float64{0.1, 0.1}, -time.Hour, TooEarly},
		{"dismissed", Dismissed, 300, []float64{0.1, 0.1}, time.Hour, Dismissed},
	} {
		c := Cell{Scope: Scope{Agent: "a"}, Chains: chains(test.n, 2, test.hazards, 5, r)}
		for i := range c.Chains {
			c.Chains[i].Opened = made.Add(test.after)
		}
		got, err := outcomes([]queries.Decision{{ID: "s-1", Made: made, Decision: test.decision, Body: string(body)}}, []Cell{c})
		if err != nil || len(got) != 1 || got[0].Verdict != test.want {
			t.Errorf("%s: %+v, %v, want %s", test.name, got, err, test.want)
		}
	}
}
