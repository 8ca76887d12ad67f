package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The interval holds the truth as often as it promises, where times are known
// to a second or three, and is no wider than that asks for.
func TestHorizonHoldsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	const runs = 1000
	truth := -60 * math.Log(0.05)
	held := 0
	for range runs {
		var of []interval
		for range 200 {
			x, gap := 60*r.ExpFloat64(), 1+2*r.Float64()
			from := gap * math.Floor(x/gap)
			of = append(of, interval{from, from + gap})
		}
		if low, high := horizon(of, 0.95); low <= truth && truth <= high {
			held++
		}
	}
	if share := float64(held) / runs; share < 0.93 || share > 0.98 {
		t.Errorf("%.1f %% of the intervals hold the truth, want 93 to 98 %%", 100*share)
	}
}

// By hand: of 100 of which 96 came between 5 and 20 s nobody knows when in
// between, and of 30 not whether they are the last.
func TestHorizon(t *testing.T) {
	of := slices.Repeat([]interval{{5, 20}}, 96)
	of = append(of, slices.Repeat([]interval{{20, 50}}, 4)...)
	if low, high := horizon(of, 0.95); low != 5 || high != 50 {
		t.Errorf("%v to %v, want 5 to 50", low, high)
	}
	if low, high := horizon(of[:30], 0.95); low != 5 || !math.IsInf(high, 1) {
		t.Errorf("%v to %v, want 5 or later", low, high)
	}
}

// Times on steps of a scale are each the latest of the ends that round up to it,
// and observations are found among them as by looking each up.
func TestCurveTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for _, n := range []int{0, 1, 30, 41, 500, 5000} {
		var of []interval
		for i := range n {
			x := interval{0, 5 * math.Exp(3*r.NormFloat64())}
			x.low = x.high * r.Float64()
			if i%5 == 0 {
				x.low, x.high = x.high, math.Inf(1)
			}
			of = append(of, x)
		}
		p := pointsOf(of)
		if !slices.IsSorted(p.times) || len(p.times) > curvePoints {
			t.Errorf("%d ends: times %v", n, p.times)
		}
		for _, x := range of {
			reached := slices.IndexFunc(p.times, func(at float64) bool { return at >= end(x) })
			behind := slices.IndexFunc(p.times, func(at float64) bool { return at > x.low })
			if reached < 0 {
				reached = len(p.times)
			}
			if behind < 0 {
				behind = len(p.times)
			}
			if got := [2]int{p.reached(end(x)), p.behind(x.low)}; got != [2]int{reached, behind} {
				t.Fatalf("%d ends, %v: %v, want %d, %d in %v", n, x, got, reached, behind, p.times)
			}
		}
	}
}

func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 70))
	for n := 1; n < 60; n++ {
		var values []float64
		for range n {
			values = append(values, float64(r.IntN(n)))
		}
		sorted := slices.Sorted(slices.Values(values))
		for i := range n {
			if got := nth(slices.Clone(values), i); got != sorted[i] {
				t.Fatalf("%v: %v at %d, want %v", values, got, i, sorted[i])
			}
		}
	}
}
