package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"hansei/classify"
	"hansei/ingest"
	"hansei/queries"
)

// A stricter limit cuts off what went further, to the second; of a looser one no
// more is promised than is likely at least. By hand.
func TestReplayLimits(t *testing.T) {
	ends := []stretch{
		{5, 10, true, false}, {40, 2, true, false}, {50, 3, true, false},
		{55, 1, false, false}, // failed otherwise
		{60, 6, false, true},
	}
	at := func(v float64) *float64 { return &v }
	for _, test := range []struct {
		name           string
		limit, against *float64
		passed, ran    float64
		changed        int
		guessed        bool
	}{
		{"stricter", at(30), nil, -5, -10*2 - 20*3 - 25 - 30*6, 12, false},
		{"the longest pass fits", at(50), nil, 0, -5 - 10*6, 7, false},
		{"two limits", at(30), at(50), -5, -10*2 - 20*3 - 20 - 20*6, 12, false},
		{"the same", at(30), at(30), 0, 0, 0, false},
		{"the one recorded", at(60), nil, 0, 0, 0, false},
	} {
		row, changed := replayEnds(Replayed{Knob: timeoutName}, ends, test.limit, test.against)
		e := row.Effect
		if math.Abs(e.Resolved-test.passed) > 0.01 || math.Abs(e.WaitS-test.ran) > 0.01 || row.Incidents != test.changed || row.Extrapolated != test.guessed || changed != (test.changed > 0) {
			t.Errorf("%s: %+v", test.name, row)
		}
		if i := e.Interval.Resolved; test.passed != 0 && (i[0] >= e.Resolved || i[1] <= e.Resolved) {
			t.Errorf("%s: interval %v", test.name, i)
		}
	}
	// 3 of the 9 in the last fifth passed, more than in the one before: one third of
	// those left a fifth of 12 s, and no less behind.
	l := lateOf(ends)
	if one, two := l.within(12), l.within(24); math.Abs(one.likely-1./3) > 1e-9 || math.Abs(two.likely-5./9) > 1e-9 || one.least <= 0 || one.least >= one.likely || one.most <= one.likely {
		t.Errorf("%+v within a fifth, %+v within two", one, two)
	}
	looser, _ := replayEnds(Replayed{Knob: timeoutName}, ends, at(72), nil)
	if e := looser.Effect; math.Abs(e.Resolved-6*l.within(12).least) > 0.01 || math.Abs(e.WaitS-6*12+6*e.Resolved) > 0.1 || !looser.Extrapolated || e.Interval.Resolved[1] < 6*l.within(12).likely {
		t.Errorf("looser: %+v", looser)
	}
	// 12 then 6, then 3: each fifth has half of the one before, as long as enough are left.
	halves := lateOf([]stretch{{30, 12, true, false}, {40, 6, true, false}, {50, 3, true, false}, {60, 600, false, true}})
	if two := halves.within(24); math.Abs(600*two.likely-1.5-0.75) > 1e-9 {
		t.Errorf("%+v of 600, want 1.5 and 0.75", two)
	}
	// 12, 12, 3: a quarter goes on, or ever less; never more than a quarter.
	falling := lateOf([]stretch{{30, 12, true, false}, {40, 12, true, false}, {50, 3, true, false}, {60, 600, false, true}})
	if one := falling.within(12); math.Abs(600*one.likely-3*math.Sqrt(1./4/16)) > 1e-9 {
		t.Errorf("%+v of 600", one)
	}
	row, _ := replayEnds(Replayed{Knob: callDepthName}, endsOfTurns([]Duration{{Calls: 4}, {Seconds: 3, Passed: true, Calls: 8}, {Seconds: 9, Passed: true, Calls: 1}, {Seconds: 20, Calls: 2}}), at(6), nil)
	if row.Effect.Resolved != -1 || row.Effect.Calls != -3-14*2 || row.Effect.WaitS != 0 || row.Incidents != 3 {
		t.Errorf("turns: %+v", row)
	}
}

// A budget leaves out the retries beyond it, and of those that passed their share.
func TestReplayBudget(t *testing.T) {
	hours := []TrafficHour{
		{time.Time{}, 100, 10, 5, 100, false}, // 3 spare and 7 of 100 are allowed
		{time.Time{}, 100, 43, 4, 860, false},
		{time.Time{}, 10, 3, 3, 30, false},
	}
	seven, none := 7, 0
	row, _ := replayHours(Replayed{Knob: retryBudgetName}, hours, &seven, nil)
	if e := row.Effect; e.Retries != -33 || math.Abs(e.Resolved+33*4./43) > 0.01 || e.WaitS != -33*20 || row.Incidents != 1 || !row.Extrapolated {
		t.Errorf("%+v", row)
	}
	row, _ = replayHours(Replayed{Knob: retryBudgetName}, hours, &none, &seven)
	if e := row.Effect; e.Retries != -7-7 || row.Incidents != 2 {
		t.Errorf("none against seven: %+v", row)
	}
}

// Under another bar the first attempt that reaches it passes.
func TestReplayBar(t *testing.T) {
	gate := func(won bool, scores ...float64) Chain {
		c := Chain{Retries: 2, Won: won, Lost: !won, Cap: 2, Bar: 70, Scores: scores, Cost: make([]Price, 2)}
		for k := range c.Cost {
			c.Cost[k] = Price{Seconds: 10, Known: true}
		}
		return c
	}
	for _, test := range []struct {
		name     string
		of       Chain
		bar      float64
		resolved float64
		retries  float64
		guessed  bool
	}{
		{"lower, passed earlier", gate(true, 50, 62, 75), 60, 0, -1, false},
		{"lower, passed at once", gate(false, 65, 66, 67), 60, 1, -2, false},
		{"lower, never", gate(false, 40, 45, 50), 60, 0, 0, false},
		{"lower, the last score is not told", gate(true, 50, 55), 60, 0, 0, false},
		{"higher, reached", gate(true, 50, 62, 85), 80, 0, 0, false},
		{"higher, missed", gate(true, 50, 62, 75), 80, -1, 0, true},
		{"higher, the last score is not told", gate(true, 50, 62), 80, 0, 0, true},
		{"no scores", gate(true), 80, 0, 0, false},
	} {
		before := &experience{steps: hazards([]Chain{test.of}, TuneOptions{})}
		x, y := plan{cap: -1, bar: &test.bar}.run(&test.of, before), plan{cap: -1}.run(&test.of, before)
		if x.won-y.won != test.resolved || x.retries-y.retries != test.retries || x.guessed != test.guessed {
			t.Errorf("%s: %+v, recorded %+v", test.name, x, y)
		}
	}
	strict := 60.0
	of := gate(false, 50, 55, 65)
	if x := (plan{cap: 1, bar: &strict}).run(&of, &experience{}); x.won != 0 || x.retries != 1 {
		t.Errorf("a cap before the attempt that reaches the bar: %+v", x)
	}
}

// Calls come by operation.
func TestEndsOfCalls(t *testing.T) {
	calls := []queries.CallEnd{
		{Agent: "a", Operation: "x", Passed: true, DurationMS: 4000, Calls: 2},
		{Agent: "a", Operation: "y", Cut: true, DurationMS: 9000, Calls: 1},
		{Agent: "b", Operation: "x", Passed: true, DurationMS: 5000, Calls: 3},
	}
	var seen []Scope
	for scope, ends := range endsOfCalls(calls) {
		seen = append(seen, scope)
		if len(ends) != 1 {
			t.Errorf("%v: %v", scope, ends)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
}

// What a stricter timeout changes is what it changes of each call, one by one.
func TestReplayTimeoutOfStore(t *testing.T) {
	s := openStore(t, "")
	r := rand.New(rand.NewPCG(101, 102))
	const limit = 20_000 // ms
	var rows []Row
	var took []int64
	var kinds []int // 0 passed, 1 timed out, 2 failed otherwise
	for i := range 600 {
		d, kind := int64(r.ExpFloat64()*8000), 0
		switch {
		case d >= limit:
			d, kind = limit, 1
		case i%7 == 0:
			kind = 2
		}
		e := row(uint64(i+1), fmt.Sprint("call", i))
		e.Event.Agent, e.Event.Operation, e.Event.Incident, e.Event.DurationMS = "a", "op", fmt.Sprint("i", i), ingest.Some(d)
		e.Event.Kind, e.Tag.Category = []ingest.Kind{ingest.Success, ingest.Failure, ingest.Failure}[kind], []classify.Category{"", "timeout", "network"}[kind]
		rows, took, kinds = append(rows, e), append(took, d), append(kinds, kind)
	}
	if _, err := s.Append(t.Context(), upTo(600, rows...)); err != nil {
		t.Fatal(err)
	}
	for _, ms := range []int64{500, 3000, 15_000, 17_500, limit} {
		changed, passed, ran := 0, 0.0, 0.0
		for i, d := range took {
			if d > ms {
				changed++
				ran -= float64(d-ms) / 1000
				if kinds[i] == 0 {
					passed--
				}
			}
		}
		policy := policies(t, fmt.Sprintf("  - agent: a\n    timeout: %v\n", float64(ms)/1000))
		got, err := Replay(t.Context(), s.Reader(), month, policy, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ms == limit {
			if got[0].Knob != "" {
				t.Errorf("the limit that was recorded changes %+v", got[0])
			}
			continue
		}
		if e := got[0].Effect; got[0].Knob != timeoutName || got[0].Incidents != changed || e.Resolved != passed || math.Abs(e.WaitS-ran) > 0.01 || got[0].Extrapolated {
			t.Errorf("%d ms: %+v, want %d calls, %v passed, %.3f s", ms, got[0], changed, passed, ran)
		}
	}
	longer, err := Replay(t.Context(), s.Reader(), month, policies(t, "  - agent: a\n    timeout: 24\n"), nil)
	if err != nil || !longer[0].Extrapolated || longer[0].Effect.Resolved <= 0 || longer[0].Effect.WaitS <= 0 {
		t.Errorf("%+v, %v", longer, err)
	}
}
