package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hansei/queries"
)

// Easy incidents have a limit of five, hopeless ones a limit of one: what the easy
// ones show behind the first retry is not lent to the hopeless ones, neither by the
// tuner nor by a replay. Where both are alike it is.
func TestLimitsOfUnlikeIncidents(t *testing.T) {
	even := func(h float64) []float64 { return slices.Repeat([]float64{h}, 5) }
	for _, test := range []struct {
		name       string
		few, many  float64 // hazards of those of limit 1 and 5
		raise      bool
		more, most float64 // resolved by a limit of five
	}{
		{"unlike", 0.01, 0.6, false, 0, 25},
		{"alike", 0.3, 0.3, true, 250, 350},
	} {
		r := rand.New(rand.NewPCG(131, 132))
		c := Cell{Scope: Scope{Agent: "a"}, laid: spread(slices.Concat(chains(600, 1, even(test.few), 30, r), chains(500, 5, even(test.many), 30, r)))}
		s, ok := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
		if !ok || (s.Verdict == Raise) != test.raise || strings.Contains(s.Reason.EN, "are not alike") == test.raise || strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s: %s to %d: %s %s", test.name, s.Verdict, *s.Suggested, s.Reason.EN, s.Reason.JA)
		}
		five := 5
		rows := replayCells([]Cell{c}, queries.Filter{}, &Policies{entries: []Policy{{MaxRetries: &five}}}, nil)
		if e := rows[len(rows)-1].Effect; e.Resolved < test.more || e.Resolved > test.most {
			t.Errorf("%s: replayed %+v", test.name, e)
		}
		if test.raise && (*s.Suggested < 5 || math.Abs(s.Effect.Resolved-rows[0].Effect.Resolved) > 60) {
			t.Errorf("%s: to %d, %+v", test.name, *s.Suggested, s.Effect)
		}
	}
}

// A change that is good for both groups is made, with an effect that adds up.
func TestUnlikeIncidentsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(133, 134))
	c := Cell{laid: spread(slices.Concat(chains(400, 2, []float64{0.5, 0}, 60, r), chains(300, 4, []float64{0.2, 0, 0, 0}, 60, r)))}
	s, _ := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
	if s.Verdict != Lower || *s.Suggested != 1 || !strings.Contains(s.Reason.EN, "are not alike") {
		t.Fatalf("%s to %d: %s", s.Verdict, *s.Suggested, s.Reason.EN)
	}
	one := 1
	rows := replayCells([]Cell{c}, queries.Filter{}, &Policies{entries: []Policy{{MaxRetries: &one}}}, nil)
	if e := rows[0].Effect; e.Retries != s.Effect.Retries || e.Resolved != s.Effect.Resolved || e.WaitS != s.Effect.WaitS {
		t.Errorf("%+v, replayed %+v", s.Effect, e)
	}
}

// Where the best limit of one group is for the worse for another, the next that is
// good for both is found: 30 s a retry pay from 5 % on, and only the first one of
// those of limit 2 may win so often.
func TestUnlikeIncidentsMeet(t *testing.T) {
	lowered := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(135, seed))
		five := chains(500, 5, slices.Repeat([]float64{0.01}, 5), 31, r)
		c := Cell{laid: spread(slices.Concat(five, chains(500, 2, []float64{0.07, 0}, 31, r)))}
		s, _ := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
		if !strings.Contains(s.Reason.EN, "are not alike") {
			continue // chance
		}
		if s.Verdict != Lower || *s.P > falseDiscoveries || *s.Suggested > 1 {
			t.Errorf("seed %d: %s to %d, p = %.2g: %s", seed, s.Verdict, *s.Suggested, *s.P, s.Reason.EN)
			continue
		}
		lowered++
		one := int(*s.Suggested)
		rows := replayCells([]Cell{c}, queries.Filter{}, &Policies{entries: []Policy{{MaxRetries: &one}}}, nil)
		if e := rows[len(rows)-1].Effect; math.Abs(e.Retries-s.Effect.Retries) > 0.01 || s.gain(TuneOptions{Worth: DefaultWorth}) < 30000 {
			t.Errorf("seed %d: %+v, replayed %+v", seed, s.Effect, e)
		}
	}
	if lowered < 40 {
		t.Errorf("lowered in %d of 50", lowered)
	}
}

// Where both groups would do better with more, and one never went so far as the
// commonest limit allows, that is the change: for all, from the lesser one.
func TestUnlikeIncidentsCatchUp(t *testing.T) {
	raised := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(137, seed))
		two := chains(500, 2, []float64{0.5, 0.5}, 6, r)
		c := Cell{laid: spread(slices.Concat(two, chains(500, 3, []float64{0.2, 0.2, 0.2}, 6, r)))}
		s, _ := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
		if s.Verdict != Raise {
			continue // chance
		}
		raised++
		if *s.Current != 2 || *s.Suggested != 3 || s.N != 500 || len(s.Evidence) != 2 || !s.Extrapolated {
			t.Errorf("seed %d: from %d to %d, n = %d, %v: %s", seed, *s.Current, *s.Suggested, s.N, s.Evidence, s.Reason.EN)
		}
		three := 3
		rows := replayCells([]Cell{c}, queries.Filter{}, &Policies{entries: []Policy{{MaxRetries: &three}}}, nil)
		if e := rows[len(rows)-1].Effect; math.Abs(e.Resolved-s.Effect.Resolved) > 0.01 || e.Resolved < 20 {
			t.Errorf("seed %d: %+v, replayed %+v", seed, s.Effect, e)
		}
		for _, want := range []string{"The limit of 2 retries gives up", "(3 retries in 500, 2 retries in 500)", "3 retries for all"} {
			if !strings.Contains(s.Reason.EN, want) {
				t.Errorf("no %q: %s", want, s.Reason.EN)
			}
		}
	}
	if raised < 40 {
		t.Errorf("raised in %d of 50", raised)
	}
}

// What a limit for all would come to is what a replay tells of it, also where it
// goes far beyond the record of those with less.
func TestUnlikeIncidentsFarBeyond(t *testing.T) {
	r := rand.New(rand.NewPCG(139, 140))
	two := chains(500, 2, []float64{0.3, 0.3}, 31, r)
	c := Cell{laid: spread(slices.Concat(two, chains(500, 5, []float64{0.6, 0.6, 0.6, 0.6, 0.6}, 31, r)))}
	s, _ := maxRetries.suggest(c, TuneOptions{Worth: DefaultWorth})
	five := 5
	rows := replayCells([]Cell{c}, queries.Filter{}, &Policies{entries: []Policy{{MaxRetries: &five}}}, nil)
	e := rows[len(rows)-1].Effect
	want := fmt.Sprintf("5 retries for all would come to %+.0f resolved, %+.0f retries, %+.0f s", e.Resolved, e.Retries, e.WaitS)
	if s.Verdict != Keep || e.Retries < 600 || !strings.Contains(s.Reason.EN, want) {
		t.Errorf("no %q: %s", want, s.Reason.EN)
	}
	told := replay(two, 2, 5, hazards(two, TuneOptions{}))
	if in := told.Interval.Retries; math.Abs(told.Retries-e.Retries) > 0.01 || in[0] >= told.Retries || in[1] <= told.Retries {
		t.Errorf("%+v, replayed %+v", told, e)
	}
}

// The score test against its chi-square: 20 of 50 and 30 of 50 give 4, whose tail
// is 0.0455.
func TestAlike(t *testing.T) {
	if p := alike(tally{20, 50}, tally{30, 50}); math.Abs(p-0.0455) > 1e-4 {
		t.Errorf("p = %v", p)
	}
	if p := alike(tally{0, 50}, tally{0, 20}); p != 1 {
		t.Errorf("none of both: p = %v", p)
	}
}

// A limit to which nobody of those in force ever went is decided on, too, whatever
// the other limits of the cell were.
func TestUnlikeLimitsOfAnyKind(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(7, seed))
		a, b := drawUnlike(r), drawUnlike(r)
		var of []Chain
		for _, c := range []*truth{&a, &b} {
			for len(c.hazards) < 8 {
				c.hazards = append(c.hazards, c.hazards[len(c.hazards)-1])
			}
			of = append(of, chains(300, c.cap, c.hazards, a.seconds[0], r)...)
		}
		s, _ := maxRetries.suggest(Cell{laid: spread(of)}, TuneOptions{Worth: DefaultWorth})
		if (s.Verdict == Raise || s.Verdict == Lower) && (s.Suggested == nil || s.Reason.EN == "" || s.P == nil) {
			t.Errorf("%d: %+v", seed, s)
		}
	}
}
