package analyze

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

var toldLower = regexp.MustCompile(`likely at most ([0-9.e-]+)%\).* pays from ([0-9.e-]+)% on`)

// The sentence for a lower limit does not contradict itself: what its retries may
// win at most is less than what they would have to win.
func TestLowerTellsWhatDecides(t *testing.T) {
	r := rand.New(rand.NewPCG(139, 140))
	lowered := 0
	for fleet := range 40 {
		var all []Cell
		for op := range 12 { // some of few incidents, around others that are hopeless
			all = append(all, Cell{Scope: Scope{fmt.Sprint("agent", op%3), fmt.Sprint("op", op), "network", ""}, laid: spread(chains(6+r.IntN(40), 1+r.IntN(3), []float64{0.004 * float64(fleet%10)}, 61, r))})
		}
		for _, s := range tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}}).Suggestions {
			if s.Verdict != Lower {
				continue
			}
			lowered++
			told := toldLower.FindStringSubmatch(s.Reason.EN)
			if told == nil {
				t.Fatal(s.Reason.EN)
			}
			most, _ := strconv.ParseFloat(told[1], 64)
			if pays, _ := strconv.ParseFloat(told[2], 64); most >= pays {
				t.Errorf("%s", s.Reason.EN)
			}
			if s.N < minIncidents && (s.Pool == nil || s.Pool.Strength < 2) {
				t.Errorf("of %d incidents, and a guess: %s", s.N, s.Reason.EN)
			}
		}
	}
	if lowered < 100 {
		t.Errorf("%d limits were lowered", lowered)
	}
}

// Of few incidents, and of cells around that have nothing in common, nothing is said.
func TestFewAmongStrangersSayNothing(t *testing.T) {
	e := Evidence{}
	for _, test := range []struct {
		own      int
		strength float64
		want     bool
	}{{4, 50, false}, {5, 1, false}, {5, 2, true}, {12, 1.4, false}} {
		if got := vouched(test.own, []Pooled{{0.1, test.strength, "agent"}}, e.Retry); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	if vouched(19, nil, 0) {
		t.Error("nobody vouches")
	}
}
