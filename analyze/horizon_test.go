package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// With exact and right-censored times the variance of the curve is Greenwood's
// (1926): the published errors of the 6-mercaptopurine group.
func TestInformationGivesGreenwood(t *testing.T) {
	var of []interval
	for _, week := range []float64{6, 6, 6, 7, 10, 13, 16, 22, 23} {
		of = append(of, interval{week - 0.5, week})
	}
	for _, week := range []float64{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35} {
		of = append(of, interval{week, math.Inf(1)})
	}
	sorted := sortOf(of)
	mass := sorted.settle()
	points, root := sorted.information(mass)
	share := 0.0
	for i, want := range []float64{0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346} {
		share += mass[i]
		gradient := make([]float64, len(points))
		for k, at := range points {
			if at <= i {
				gradient[k] = 1
			}
		}
		if got := math.Sqrt(root.halved(gradient) - share*share/sorted.n); math.Abs(got-want) > 5e-4 { // the masses add up to 1
			t.Errorf("by week %v: %.4f, want %.4f", sorted.times[i], got, want)
		}
	}
}

// The interval holds the truth as often as it promises, where times are known
// to a second or three, and some are given up.
func TestBoundsHoldTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	const runs = 600
	truth := -60 * math.Log(0.05)
	held := 0
	for range runs {
		var of []interval
		for range 200 {
			x, gap := 60*r.ExpFloat64(), 1+2*r.Float64()
			if until := 1000 * r.Float64(); until < x { // given up
				of = append(of, interval{until, math.Inf(1)})
				continue
			}
			from := gap * math.Floor(x/gap)
			of = append(of, interval{from, from + gap})
		}
		sorted := sortOf(of)
		low, high := sorted.bounds(sorted.settle(), 0.95)
		at := slices.IndexFunc(sorted.times, func(at float64) bool { return at >= truth })
		if at >= 0 && low <= sorted.times[at] && sorted.times[at] <= high {
			held++
		}
	}
	if share := float64(held) / runs; share < 0.93 || share > 0.97 {
		t.Errorf("%.1f %% of the intervals hold the truth, want 93 to 97 %%", 100*share)
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
