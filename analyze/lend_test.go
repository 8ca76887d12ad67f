package analyze

import (
	"fmt"
	"math"
	"testing"
)

// retriedChains are incidents that made a retry and of which so many recovered.
func retriedChains(n, won int) (of []Chain) {
	for i := range n {
		of = append(of, Chain{Retries: 1, Won: i < won, Lost: i >= won, Cap: 1, Cost: []Price{{Seconds: 60, Known: true}}})
	}
	return spread(of)
}

// A thin cell leans on those around it, as much as it has of its own, and one
// alone says that it has too little; what is believed is the Beta posterior of
// both.
func TestStopsAreLent(t *testing.T) {
	alone := Cell{Scope: Scope{Agent: "a", Operation: "thin", Category: "auth"}, laid: retriedChains(12, 0)}
	suggest := func(all ...Cell) Suggestion {
		for _, s := range tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{stopAfterName}}).Suggestions {
			if s.Scope.Operation == "thin" {
				return s
			}
		}
		t.Fatal("no suggestion")
		return Suggestion{}
	}
	if s := suggest(alone); s.Verdict != TooLittleData || s.Needed != 8 || s.Pool != nil {
		t.Errorf("alone: %s, needed %d", s.Verdict, s.Needed)
	}
	hopeless, hopeful := []Cell{alone}, []Cell{alone}
	for i := range 6 {
		scope := Scope{Agent: fmt.Sprint("b", i), Operation: "op", Category: "auth"}
		hopeless = append(hopeless, Cell{Scope: scope, laid: retriedChains(200, i%2)})
		hopeful = append(hopeful, Cell{Scope: scope, laid: retriedChains(200, 60+i)})
	}
	s := suggest(hopeless...)
	if s.Verdict != Lower || *s.Suggested != 1 || s.Pool == nil || s.Pool.From != "category" {
		t.Fatalf("%s to %v: %s", s.Verdict, s.Suggested, s.Reason.EN)
	}
	around, _ := fitPool([]tally{{0, 12}, {0, 200}, {1, 200}, {0, 200}, {1, 200}, {0, 200}, {1, 200}})
	weight := math.Min(around.Strength, 12)
	if want := around.Mean * weight / (weight + 12); math.Abs(s.Evidence[0].Believed-want) > 1e-12 {
		t.Errorf("believed %v, want %v", s.Evidence[0].Believed, want)
	}
	if s := suggest(hopeful...); s.Verdict == Lower {
		t.Errorf("%s to %v against all around: %s", s.Verdict, *s.Suggested, s.Reason.EN)
	}
}

// So does a limit that cuts off calls which would pass, and so do iterations far
// below a bar.
func TestLimitsAndScoresAreLent(t *testing.T) {
	late := func(op string, n, won int) Cell {
		return Cell{Scope: Scope{Agent: "a", Operation: op}, Durations: []Duration{{Seconds: 1, Passed: true, Calls: 400}, {Seconds: 55, Passed: true, Calls: won}, {Seconds: 60, Calls: n - won}}}
	}
	iterated := func(op string, n, won int) Cell {
		c := Cell{Scope: Scope{Agent: "a", Operation: op, Category: "quality_gate"}, laid: retriedChains(n, won)}
		for i := range c.laid {
			c.laid[i].Scores, c.laid[i].Bar, c.laid[i].Cost[0].Seconds = []float64{30}, 70, 60
		}
		return c
	}
	for _, test := range []struct {
		knob         string
		thin, around func(i int) Cell
		want         Verdict
	}{
		{timeoutName, func(int) Cell { return late("thin", 19, 9) }, func(i int) Cell { return late(fmt.Sprint("op", i), 200, 100+i) }, Raise},
		{scoreBarName, func(int) Cell { return iterated("thin", 14, 0) }, func(i int) Cell { return iterated(fmt.Sprint("op", i), 200, i%3) }, Lower},
	} {
		verdict := func(all ...Cell) Verdict {
			for _, s := range tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{test.knob}}).Suggestions {
				if s.Scope.Operation == "thin" {
					return s.Verdict
				}
			}
			return ""
		}
		if got := verdict(test.thin(0)); got == test.want {
			t.Errorf("%s: %s of a thin cell alone", test.knob, got)
		}
		all := []Cell{test.thin(0)}
		for i := range 6 {
			all = append(all, test.around(i))
		}
		if got := verdict(all...); got != test.want {
			t.Errorf("%s: %s with the cells around, want %s", test.knob, got, test.want)
		}
	}
}
