package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hansei/queries"
)

// mixed are incidents of one process under two caps, one after the other; below
// zero: they do not tell them.
func mixed(n int, caps [2]int, hazards []float64, seconds float64) []Chain {
	untold := caps[0] < 0
	if untold {
		caps = [2]int{-caps[0], -caps[1]}
	}
	r := rand.New(rand.NewPCG(91, 92))
	a, b := chains(n, caps[0], hazards, seconds, r), chains(n, caps[1], hazards, seconds, r)
	var of []Chain
	for i := range n {
		of = append(of, a[i], b[i])
	}
	for i := range of {
		if untold {
			of[i].Cap = -1
		}
	}
	return spread(of)
}

// A policy has one limit for all of a cell: what a change comes to where the
// recorded ones differ is what tune replay tells of it, and the reason names them.
func TestMixedCaps(t *testing.T) {
	for _, test := range []struct {
		name    string
		caps    [2]int
		hazards []float64
		seconds float64
		verdict Verdict
		to      int64
	}{
		{"lower and raise", [2]int{2, 5}, []float64{0.5, 0.5, 0.5, 0, 0}, 60, Lower, 3},
		{"lower alone", [2]int{3, 10}, []float64{0.4, 0.3}, 60, Lower, 2},
		{"raise", [2]int{0, 2}, []float64{0.5, 0.5}, 20, Raise, 3},
		{"nobody tells", [2]int{-2, -2}, []float64{0.5, 0.5}, 20, Raise, 3},
		{"for all", [2]int{0, 2}, []float64{0.5, 0.05}, 20, Raise, 2},
		{"keep", [2]int{1, 2}, []float64{0.5, 0.05}, 20, Keep, 2},
	} {
		c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: mixed(400, test.caps, test.hazards, test.seconds)}
		s, ok := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
		if !ok || s.Verdict != test.verdict || *s.Suggested != test.to || strings.Contains(s.Reason.EN, "Not all incidents had one limit") == (test.caps[0] < 0) {
			t.Fatalf("%s: %s to %d: %s", test.name, s.Verdict, *s.Suggested, s.Reason.EN)
		}
		if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s: %+v", test.name, s.Reason)
		}
		set := int(test.to)
		policy := &Policies{entries: []Policy{{MaxRetries: &set}}}
		rows := replayCells([]Cell{c}, queries.Filter{}, policy, nil)
		e := rows[len(rows)-1].Effect
		if test.verdict == Keep {
			if e.Resolved < 5 || !strings.Contains(s.Reason.EN, "2 retries for all would come to +") {
				t.Errorf("%s: replay %+v: %s", test.name, e, s.Reason.EN)
			}
			continue
		}
		if math.Abs(e.Resolved-s.Effect.Resolved) > 0.01 || math.Abs(e.Retries-s.Effect.Retries) > 0.01 || math.Abs(e.WaitS-s.Effect.WaitS) > 0.01 {
			t.Errorf("%s: %+v, replayed %+v", test.name, s.Effect, e)
		}
	}
}

// What is good for the incidents of one limit is not suggested where it is for the
// worse for those of another.
func TestMixedCapsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	// Hardly any wins behind the second, as far as the few tell that go so far.
	few, many := chains(30, 6, []float64{0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, 20, r), chains(170, 1, []float64{0.3}, 20, r)
	c := Cell{laid: spread(slices.Concat(few, many))}
	s, _ := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
	if s.Verdict == Raise && *s.Suggested < 6 {
		t.Errorf("to %d, which cuts off those that retry six times: %s", *s.Suggested, s.Reason.EN)
	}
	s.Verdict, s.Suggested = Lower, number(0)
	if s.keep(7); !strings.Contains(s.Reason.EN, "Not retrying looks better than 1 retry") || !strings.HasSuffix(s.Reason.EN, "and a change must be better for each.") {
		t.Errorf("withheld: %s", s.Reason.EN)
	}
	alike := Cell{laid: chains(200, 2, []float64{0.3}, 20, r)}
	alike.laid[0].Cap = 7
	if s, _ := maxRetries.suggest(alike, TuneOptions{Worth: DefaultWorth}); strings.Contains(s.Reason.EN, "one limit") {
		t.Errorf("a stray cap is no mix: %s", s.Reason.EN)
	}
}
