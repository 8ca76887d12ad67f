package analyze

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
// none to be called lower that make agents wait longer.
func TestDelaysEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	of := outageChains(400, 5, []float64{5, 15, 30, 600}, r) // recovered long before the last
	for i := range of {
		if i%10 == 0 {
			of[i] = Chain{Retries: 4, Cap: 4, Lost: true, At: []float64{5, 20, 50, 650}, Cost: make([]Price, 4)}
		}
	}
	for _, test := range []struct {
		waited float64
		want   Verdict
	}{{60, Lower}, {1, Keep}} {
		for i := range of {
			for k := range of[i].Cost {
				of[i].Cost[k] = Price{Seconds: test.waited + 1, Waited: test.waited, Known: true}
			}
		}
		c := Cell{Scope: Scope{Agent: "a"}, laid: of}
		s, _ := waitsOf(c)
		if s.Verdict != test.want || (s.Effect.WaitS > 0) != (test.want == Keep) {
			t.Errorf("waited %v s: %s, %v s more with %v", test.waited, s.Verdict, s.Effect.WaitS, s.Values)
		}
		replayed := replayCells([]Cell{c}, policies(t, "  - agent: a\n    delays: "+strings.ReplaceAll(fmt.Sprint(s.Values), " ", ", ")+"\n"), nil)
		if got := replayed[len(replayed)-1].Effect; got != s.Effect {
			t.Errorf("waited %v s: the effect is %+v, its replay %+v", test.waited, s.Effect, got)
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
		s, ok := waitsOf(Cell{laid: of})
		if sum := 0.0; !ok || len(s.Values) > want || len(s.Values) < min(want, 2) {
			t.Errorf("cap %d: waits %v, want up to %d", cap, s.Values, want)
		} else {
			for _, v := range s.Values {
				sum += v
			}
			if sum > 1.05*float64(*s.Suggested) {
				t.Errorf("cap %d: waits %v go beyond the horizon of %d s", cap, s.Values, *s.Suggested)
			}
		}
	}
}
