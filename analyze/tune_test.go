package analyze

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// Bounds from Newcombe 1998, "Two-sided confidence intervals for the single
// proportion", table I: the Wilson interval without continuity correction.
func TestWilson(t *testing.T) {
	for _, test := range []struct {
		won, n    int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0.0000, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		low, high := wilson(test.won, test.n)
		if math.Abs(low-test.low) > 5e-5 || math.Abs(high-test.high) > 5e-5 {
			t.Errorf("wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", test.won, test.n, low, high, test.low, test.high)
		}
	}
	for n := 1; n < 2000; n++ {
		if low, _ := wilson(0, n); low != 0 {
			t.Fatalf("of none of %d: %g", n, low)
		}
		if _, high := wilson(n, n); high != 1 {
			t.Fatalf("of all %d: %g", n, high)
		}
	}
}

// chains makes n incidents that retry up to cap, with the given hazards.
func chains(n, cap int, hazards []float64, seconds float64, r *rand.Rand) []Chain {
	var out []Chain
	for range n {
		c := Chain{Cap: cap}
		for c.Retries < cap && !c.Won {
			h := 0.0
			if c.Retries < len(hazards) {
				h = hazards[c.Retries]
			}
			c.Retries++
			c.Cost = append(c.Cost, Price{Seconds: seconds, Known: true})
			c.Won = r.Float64() < h
		}
		c.Lost = !c.Won
		out = append(out, c)
	}
	return out
}

func TestMaxRetries(t *testing.T) {
	for _, test := range []struct {
		name         string
		n, cap       int
		hazards      []float64
		seconds      float64
		verdict      Verdict
		suggested    int64
		extrapolated bool
	}{
		{"never passes", 300, 5, nil, 20, Lower, 0, false},
		{"first retry only", 400, 4, []float64{0.6, 0, 0, 0}, 40, Lower, 1, false},
		{"cut off too early", 300, 1, []float64{0.5, 0.5}, 10, Raise, 2, true},
		{"all pass at once", 200, 3, []float64{1}, 10, Keep, 3, false},
		{"right as it is", 300, 3, []float64{0.5, 0.4, 0.12}, 45, Keep, 3, false},
		{"too few", 10, 3, []float64{0.5}, 10, TooLittleData, 0, false},
		{"too dear", 300, 2, []float64{0.1, 0.1}, 4000, Lower, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			c := Cell{Scope: Scope{Agent: "a"}, laid: chains(test.n, test.cap, test.hazards, test.seconds, r)}
			s, ok := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth})
			if !ok || s.Verdict != test.verdict || s.Extrapolated != test.extrapolated {
				t.Fatalf("got %+v", s)
			}
			if test.verdict != TooLittleData && *s.Suggested != test.suggested {
				t.Errorf("suggested %d, want %d: %s", *s.Suggested, test.suggested, s.Reason.EN)
			}
			if s.Reason.EN == "" || s.Reason.JA == "" || strings.Contains(s.Reason.EN, "%!") || strings.Contains(s.Reason.JA, "%!") {
				t.Errorf("reason %+v", s.Reason)
			}
		})
	}
}

// Backward induction against the value of every cap, reckoned forwards.
func TestBestCapIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + r.IntN(6)
		steps := make([]step, n)
		for k := range n {
			steps[k].Hazard, steps[k].price = r.Float64()*0.3, r.Float64()*40
		}
		worth := 200.0
		value := func(cap int) float64 {
			total, alive := 0.0, 1.0
			for k := range cap {
				total += alive * (steps[k].Hazard*worth - steps[k].price)
				alive *= 1 - steps[k].Hazard
			}
			return total
		}
		got := bestCap(steps, worth, func(e Evidence) float64 { return e.Hazard })
		for cap := range n + 1 {
			if value(cap) > value(got)+1e-9 {
				t.Fatalf("cap %d is worth %f, but %d is worth %f", got, value(got), cap, value(cap))
			}
		}
	}
}

// A stricter cap is replayed exactly: by hand on five incidents.
func TestReplayStricter(t *testing.T) {
	cost := func(s ...float64) (out []Price) {
		for _, x := range s {
			out = append(out, Price{Seconds: x, Known: true})
		}
		return out
	}
	recorded := []Chain{
		{Retries: 1, Won: true, Cost: cost(5)},
		{Retries: 3, Won: true, Cost: cost(5, 15, 30)}, // is lost under cap 1
		{Retries: 3, Won: false, Cost: cost(5, 15, 30)},
		{Retries: 0},
		{Retries: 2, Won: true, Cost: cost(5, 15)}, // is lost under cap 1
	}
	e := replay(recorded, onlyStricter, 1, nil)
	if e.Resolved != -2 || e.Retries != -5 || e.WaitS != -105 {
		t.Errorf("got %+v", e)
	}
}

// A retry that may pay is not cut off together with a hopeless tail.
func TestLowerKeepsWhatMayPay(t *testing.T) {
	steps := []step{
		{Evidence: Evidence{Retry: 1, AtRisk: 100, Won: 60, Hazard: 0.6}, price: 401},
		{Evidence: Evidence{Retry: 2, AtRisk: 40, Won: 4, Hazard: 0.1}, price: 401},
		{Evidence: Evidence{Retry: 3, AtRisk: 36, Won: 0, Hazard: 0}, price: 401},
	}
	believe(steps, nil)
	if got := decide(steps, &Cell{}, 3, 600); got.verdict != Lower || got.to != 1 {
		t.Errorf("%+v, want to stop after 1", got)
	}
}

// Retries that win less often each time, and none often enough for its price, are
// all cut off, not only the last ones; above the worth of a resolution none can be.
func TestLowerCutsAllThatDoesNotPay(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, test := range []struct {
		hazards        []float64
		seconds, worth float64
		always         bool
	}{
		{[]float64{0.34, 0.22, 0.09}, 506, 600, false},
		{[]float64{0.34, 0.22, 0.09}, 506, 60, true},
		{[]float64{0.065, 0.032, 0.008, 0.004, 0}, 70, 600, false},
	} {
		c := Cell{laid: chains(1500, len(test.hazards), test.hazards, test.seconds, r)}
		s, _ := suggestMaxRetries(c, TuneOptions{Worth: time.Duration(test.worth * float64(time.Second))})
		if s.Verdict != Lower || *s.Suggested != 0 || *s.P > falseDiscoveries || strings.Contains(s.Reason.EN, "always passed") != test.always {
			t.Errorf("%v: %s to %d, p = %.2g: %s", test, s.Verdict, *s.Suggested, *s.P, s.Reason.EN)
		}
	}
}

// A chain is censored at its cap, so a strict cap must not lower the hazard.
func TestHazardsAreCensored(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	mixed := append(chains(4000, 1, []float64{0.5, 0.5, 0.5}, 5, r), chains(4000, 3, []float64{0.5, 0.5, 0.5}, 5, r)...)
	for _, e := range hazards(mixed, TuneOptions{}) {
		if math.Abs(e.Hazard-0.5) > 0.05 || e.Low > 0.5 || e.High < 0.5 {
			t.Errorf("retry %d: hazard %.3f [%.3f, %.3f], want 0.5", e.Retry, e.Hazard, e.Low, e.High)
		}
	}
}

// By chance alone a verdict seldom moves a policy that is right: the share over
// 1,000 made-up cells stays under 5 %.
func TestRightPoliciesAreLeftAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	moved, asked := 0, 1000
	for range asked {
		c := Cell{laid: chains(50+r.IntN(200), 3, []float64{0.5, 0.35, 0.2}, 20, r)}
		s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth})
		if s.Verdict == Lower {
			moved++
		}
	}
	if share := float64(moved) / float64(asked); share > 0.05 {
		t.Errorf("%.1f %% of right policies were called too high", 100*share)
	}
}

// One runaway chain says nothing about a cap.
func TestOneRunawayChainChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	c := Cell{laid: append(chains(300, 5, nil, 20, r), Chain{Retries: 8, Lost: true, Cap: 5, Cost: make([]Price, 8)})}
	if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Verdict != Lower || *s.Suggested != 0 {
		t.Errorf("%s to %d: %s", s.Verdict, *s.Suggested, s.Reason.EN)
	}
}

// A source that records only final failures says nothing about retries.
func TestBlindSourcesSayNothing(t *testing.T) {
	var c Cell
	for range 250 {
		c.laid = append(c.laid, Chain{Retries: 3, Lost: true, Blind: true, Cap: 3, Cost: make([]Price, 3)})
	}
	if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Verdict != TooLittleData || s.Reason != blindReason {
		t.Errorf("%s: %s", s.Verdict, s.Reason.EN)
	}
}

// A cap that stands for "unlimited" costs no time.
func TestUnlimitedCap(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	c := Cell{laid: chains(100, 3, []float64{0.5, 0.5, 0.5}, 5, r)}
	for i := range c.laid {
		c.laid[i].Cap = math.MaxInt32
	}
	if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Verdict != Keep || s.Effect != (Effect{}) {
		t.Errorf("%+v", s)
	}
}

// The incident's ending decides which retry won.
func TestEnding(t *testing.T) {
	attempt := func(n int64) sql.Null[int64] { return sql.Null[int64]{V: n, Valid: true} }
	for _, test := range []struct {
		name    string
		a       queries.Tried
		retries int64
		won     bool
	}{
		{"success tells its attempt", queries.Tried{Attempts: 3, FailedAttempts: 2, ByRetry: true, BySuccess: true, ClosingAttempt: attempt(3)}, 2, true},
		{"success tells none", queries.Tried{Attempts: 2, FailedAttempts: 2, ByRetry: true, BySuccess: true}, 2, true},
		{"failures after the success", queries.Tried{Attempts: 4, FailedAttempts: 4, ByRetry: true, BySuccess: true, ClosingAttempt: attempt(2)}, 1, true},
		{"a log entry", queries.Tried{Attempts: 3, FailedAttempts: 3, ByRetry: true, ClosingAttempt: attempt(3)}, 2, true},
		{"a person", queries.Tried{Attempts: 3, FailedAttempts: 3, BySuccess: true}, 2, false},
		{"gave up", queries.Tried{Attempts: 3, FailedAttempts: 3}, 2, false},
		{"passed at once", queries.Tried{Attempts: 1, ByRetry: true, BySuccess: true, ClosingAttempt: attempt(1)}, 0, false},
	} {
		if retries, won := ending(&test.a); retries != test.retries || won != test.won {
			t.Errorf("%s: %d, %v, want %d, %v", test.name, retries, won, test.retries, test.won)
		}
	}
}

func ExampleTuner() {
	cell := Cell{Scope: Scope{Agent: "agentskills", Operation: "research", Category: "auth"}}
	for range 100 { // a hundred times, three retries of a refused key
		cell.laid = append(cell.laid, Chain{Retries: 3, Cap: 3, Cost: []Price{{Seconds: 5, Known: true}, {Seconds: 15, Known: true}, {Seconds: 60, Known: true}}})
	}
	s, _ := maxRetries.Suggest(cell, TuneOptions{Worth: DefaultWorth})
	fmt.Println(s.Verdict, *s.Current, "to", *s.Suggested)
	// Output: lower 3 to 0
}
