package analyze

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hansei/queries"
)

// TestBetween wants waits that reach the points of recovery when the retry's own
// time is added, that never shrink, and that are no shorter than what is known.
func TestBetween(t *testing.T) {
	costs := func(n int, waited, ran float64) (list []Chain) {
		for range n {
			list = append(list, Chain{Retries: 1, Cost: []Price{{Seconds: waited + ran, Waited: waited, Known: true}}})
		}
		return list
	}
	for _, test := range []struct {
		name   string
		of     []Chain
		points []float64
		want   []float64
	}{
		{"nobody tells how long a retry takes", nil, []float64{10, 30, 60}, []float64{10, 20, 30}},
		{"it takes four seconds", costs(20, 5, 4), []float64{10, 30, 60}, []float64{6, 16, 26}},
		{"two points are one", costs(20, 5, 4), []float64{10, 30, 30}, []float64{6, 16}},
		{"recoveries are quicker than it", costs(20, 5, 60), []float64{32, 105, 105}, []float64{5, 13}},
		{"they crowd", nil, []float64{6, 11, 12}, []float64{4, 4, 4}}, // 6, 5, 1
		{"the server asks for more", []Chain{{After: 15}}, []float64{10, 30, 60}, []float64{15, 20, 30}},
		{"all at once", nil, []float64{0, 0, 0}, []float64{0}},
	} {
		var p pauses
		for i := range test.of {
			p.add(&test.of[i])
		}
		if got := p.between(test.points); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestGrowing holds pooled violators to worked cases.
func TestGrowing(t *testing.T) {
	for _, test := range []struct{ values, want []float64 }{
		{nil, []float64{}},
		{[]float64{1, 2, 3}, []float64{1, 2, 3}},
		{[]float64{3, 2, 1}, []float64{2, 2, 2}},
		{[]float64{1, 4, 2, 5}, []float64{1, 3, 3, 5}},
		{[]float64{29, 39, 4}, []float64{24, 24, 24}},
		{[]float64{4, 3, 8, 1}, []float64{3.5, 3.5, 4.5, 4.5}},
	} {
		if got := growing(test.values); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.values, got, test.want)
		}
	}
}

// TestDelaysEffect wants the effect of waits to be that of their replay, and
// none to be called lower that save too little for what they give up.
func TestDelaysEffect(t *testing.T) {
	for _, test := range []struct {
		waits []float64
		cured float64
		want  Verdict
	}{
		{[]float64{5, 15, 30, 600}, 0.9, Lower},
		{[]float64{5, 15, 30, 60}, 0.98, Keep},
	} {
		r := rand.New(rand.NewPCG(57, 58))
		law := cause{lasts: func(r *rand.Rand) float64 { return 5 * r.ExpFloat64() }, cured: test.cured, waits: test.waits, vary: 0.3, runs: 1}
		c := Cell{Scope: Scope{Agent: "a"}}
		for range 2000 {
			chain, _ := law.draw(r)
			c.laid = append(c.laid, chain)
		}
		s, _ := waitsOf(c, TuneOptions{Worth: DefaultWorth})
		if s.Verdict != test.want || s.Verdict == Lower && (s.Effect.WaitS >= 0 || !s.Extrapolated) {
			t.Errorf("%v: %s, p %.3g, %+v with %v", test.waits, s.Verdict, *s.P, s.Effect, s.Values)
		}
		replayed := replayCells([]Cell{c}, queries.Filter{}, policies(t, "  - agent: a\n    delays: "+strings.ReplaceAll(fmt.Sprint(s.Values), " ", ", ")+"\n"), nil)
		if got := replayed[len(replayed)-1]; got.Effect != s.Effect || !got.Extrapolated {
			t.Errorf("%v: the effect is %+v, its replay %+v", test.waits, s.Effect, got.Effect)
		}
	}
}

// By hand: what a retry finds under other waits, of recoveries that came by 10 s
// (half), 20 s (half of the others) and 40 s.
func TestRewait(t *testing.T) {
	chain := func(waits ...float64) (c Chain) {
		now := 0.0
		for _, w := range waits {
			now += w
			c.Retries, c.At = c.Retries+1, append(c.At, now)
			c.Cost = append(c.Cost, Price{Seconds: w, Waited: w, Known: true})
		}
		c.Won, c.Cap = true, 3
		return c
	}
	once, twice := chain(40), chain(10, 30)
	untold := chain(40)
	untold.Cost[0].Waited = 0
	before := &experience{steps: make([]step, 3), recovered: curve{[]float64{10, 20, 40}, []float64{0.5, 0.75, 1}}, cap: 3}
	for _, test := range []struct {
		name                     string
		of                       *Chain
		delays                   []float64
		cap                      int
		won, less, more, retries float64
		seconds                  float64
	}{
		{"as it was", &twice, []float64{10, 30}, -1, 1, 0, 0, 2, 40},
		{"nobody told how long it waited", &untold, []float64{10}, -1, 1, 0, 0, 1, 40},
		{"at 10, 20 and 30 s", &once, []float64{10}, -1, 0.75, 0.75, 0.25, 1 + 0.5 + 0.25, 17.5},
		{"at 10, 20 and 40 s", &once, []float64{10, 10, 20}, -1, 1, 0, 0, 1 + 0.5 + 0.25, 10 + 5 + 5},
		{"at 10 s only", &once, []float64{10}, 1, 0.5, 0.5, 0.5, 1, 10},
		{"it recovered behind 10 s, at 20 s half", &twice, []float64{10, 10}, 2, 0.5, 0.5, 0.5, 2, 20},
		{"not sooner than 10 s", &twice, []float64{5}, 2, 0, 0, 0, 2, 10},
		{"later", &once, []float64{60}, -1, 1, 0, 0, 1, 60},
	} {
		got := plan{cap: test.cap, allows: true, delays: test.delays}.run(test.of, before)
		if got.won != test.won || got.less != test.less || got.more != test.more || got.retries != test.retries || got.spent.Seconds != test.seconds {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// A cell has no more waits than retries, and the last reaches the 95 % point.
func TestAsManyWaitsAsRetries(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for cap, want := range map[int]int{1: 1, 2: 2, 3: 3, 5: 3, -1: 3} {
		of := outageChains(400, 60, []float64{5, 20, 60, 100, 200}, r)
		for i := range of {
			of[i].Cap = cap
		}
		s, ok := waitsOf(Cell{laid: of}, TuneOptions{Worth: DefaultWorth})
		if sum := 0.0; !ok || len(s.Values) > want || len(s.Values) < min(want, 2) {
			t.Errorf("cap %d: waits %v, want up to %d", cap, s.Values, want)
		} else {
			for _, v := range s.Values {
				sum += v
			}
			if sum > 1+float64(*s.Suggested) {
				t.Errorf("cap %d: waits %v go beyond the last retry after %d s", cap, s.Values, *s.Suggested)
			}
		}
	}
}
