package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The incomplete beta function against binomial sums, reckoned term by term:
// I_x(k, n−k+1) = P(Bin(n, x) ≥ k) (DLMF 8.17.5).
func TestIncompleteBeta(t *testing.T) {
	for n := 1; n <= 60; n += 7 {
		for k := 1; k <= n; k += 3 {
			for _, x := range []float64{0.001, 0.05, 0.3, 0.5, 0.77, 0.99} {
				want := 0.0
				for j := k; j <= n; j++ {
					c := 1.0
					for i := range j {
						c *= float64(n-i) / float64(i+1)
					}
					want += c * math.Pow(x, float64(j)) * math.Pow(1-x, float64(n-j))
				}
				if got := incompleteBeta(float64(k), float64(n-k+1), x); math.Abs(got-want) > 1e-12 {
					t.Errorf("I_%v(%d, %d) = %v, want %v", x, k, n-k+1, got, want)
				}
			}
		}
	}
	// I_x(½, ½) is the arcsine law, 2/π·arcsin √x.
	for _, x := range []float64{0.01, 0.2, 0.5, 0.9} {
		if got, want := jeffreys.below(x), 2/math.Pi*math.Asin(math.Sqrt(x)); math.Abs(got-want) > 1e-13 {
			t.Errorf("arcsine law at %v: %v, want %v", x, got, want)
		}
	}
	if got := incompleteBeta(4000, 6000, 0.4); math.Abs(got-0.5) > 0.01 {
		t.Errorf("a strong Beta is half below its mean: %v", got)
	}
}

// Quantiles give back their probability, and give the Clopper-Pearson bounds of
// Newcombe 1998, "Two-sided confidence intervals for the single proportion",
// table I, method 5, which are quantiles of Betas.
func TestBetaBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 200 {
		d := beta{0.2 + 50*r.Float64(), 0.2 + 50*r.Float64()}
		low, high := d.bounds()
		if math.Abs(d.below(low)-0.025) > 1e-9 || math.Abs(d.below(high)-0.975) > 1e-9 {
			t.Errorf("%+v: bounds %v, %v", d, low, high)
		}
	}
	if low, high := (beta{12.5, 0.5}).bounds(); !(0 < low && low < high && high < 1) { // its density has no upper end
		t.Errorf("%v, %v", low, high)
	}
	for _, test := range []struct {
		won, n, low, high float64
	}{{81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {1, 29, 0.0009, 0.1776}} {
		low := beta{test.won, test.n - test.won + 1}.quantile(0.025)
		high := beta{test.won + 1, test.n - test.won}.quantile(0.975)
		if math.Abs(low-test.low) > 5e-5 || math.Abs(high-test.high) > 5e-5 {
			t.Errorf("%v of %v: %.4f to %.4f, want %.4f to %.4f", test.won, test.n, low, high, test.low, test.high)
		}
	}
}

// The chance of a third hazard, by draws of the two before it.
func TestFalling(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for _, test := range []struct {
		first, second beta
		pays          float64
	}{
		{beta{60, 60}, beta{10, 50}, 0.03}, {beta{30, 20}, beta{5, 20}, 0.1}, {beta{10, 30}, beta{20, 20}, 0.4}, {beta{120, 80}, beta{40, 40}, 0.4},
	} {
		const draws = 200_000
		below := 0
		for range draws {
			first, second := drawBeta(r, test.first), drawBeta(r, test.second)
			if second*min(1, second/first) < test.pays {
				below++
			}
		}
		want := float64(below) / draws
		if got := falling(test.first, test.second, test.pays); math.Abs(got-want) > 0.01 {
			t.Errorf("%+v: %.4f, by %d draws %.4f", test, got, draws, want)
		}
	}
}

// The discrete hazards give the survival curve that is published for the
// 6-mercaptopurine group of Freireich and others 1963 (Kalbfleisch and
// Prentice, "The Statistical Analysis of Failure Time Data", section 1.1.2):
// 21 patients, 12 of them censored.
func TestHazardsGiveTheKaplanMeierCurve(t *testing.T) {
	var group []Chain
	for _, week := range []int{6, 6, 6, 7, 10, 13, 16, 22, 23} {
		group = append(group, Chain{Retries: week, Won: true, Cost: make([]Price, week)})
	}
	for _, week := range []int{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35} {
		group = append(group, Chain{Retries: week, Cost: make([]Price, week)})
	}
	want := map[int]float64{6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448, 35: 0.448}
	alive := 1.0
	for _, step := range hazards(group, TuneOptions{}) {
		alive *= 1 - step.Hazard
		if s, ok := want[step.Retry]; ok && math.Abs(alive-s) > 5e-4 {
			t.Errorf("week %d: %.4f still in remission, want %.3f", step.Retry, alive, s)
		}
	}
}

// The rejections of the fifteen p-values of Benjamini and Hochberg 1995,
// section 2.2: four at 0.05, where Bonferroni's rule finds three.
func TestDiscoveries(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000}
	r := rand.New(rand.NewPCG(23, 24))
	r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	for i, found := range discoveries(p, 0.05) {
		if found != (p[i] <= 0.0095) {
			t.Errorf("p %v: %v", p[i], found)
		}
	}
	if slices.Contains(discoveries(nil, 0.05), true) {
		t.Error("a discovery in nothing")
	}
}

// The prior's mean and strength are found again from cells drawn from it.
func TestFitPoolFindsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, truth := range []beta{{6, 14}, {1, 9}, {40, 60}} {
		var cells []tally
		for range 300 {
			h := drawBeta(r, truth)
			c := tally{n: 20 + r.IntN(100)}
			for range c.n {
				if r.Float64() < h {
					c.won++
				}
			}
			cells = append(cells, c)
		}
		p, ok := fitPool(cells)
		if !ok || math.Abs(p.Mean-truth.mean()) > 0.03 || p.Strength < truth.strength()/1.5 || p.Strength > truth.strength()*1.5 {
			t.Errorf("truth mean %.3f strength %.0f, found %+v", truth.mean(), truth.strength(), p)
		}
	}
	if _, ok := fitPool([]tally{{3, 5}}); ok {
		t.Error("one cell tells nothing of how cells differ")
	}
	if p, ok := fitPool([]tally{{0, 30}, {0, 40}, {0, 25}}); !ok || p.Mean <= 0 || p.Mean > 0.05 {
		t.Errorf("no win at all: %+v", p)
	}
}

// drawBeta draws by the ratio of gammas (Marsaglia and Tsang 2000).
func drawBeta(r *rand.Rand, d beta) float64 {
	gamma := func(a float64) float64 {
		boost := 1.0
		if a < 1 {
			boost = math.Pow(r.Float64(), 1/a)
			a++
		}
		e := a - 1.0/3
		c := 1 / math.Sqrt(9*e)
		for {
			x := r.NormFloat64()
			v := math.Pow(1+c*x, 3)
			if v > 0 && math.Log(r.Float64()) < x*x/2+e-e*v+e*math.Log(v) {
				return boost * e * v
			}
		}
	}
	x, y := gamma(d.a), gamma(d.b)
	return x / (x + y)
}
