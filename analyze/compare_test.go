package analyze

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// The examples of Newcombe (1998), table II, method 10.
func TestDifferenceOfRates(t *testing.T) {
	for _, test := range []struct {
		won, n, wonBefore, nBefore int64
		low, high                  float64
		clear                      bool
	}{
		{56, 70, 48, 80, 0.0524, 0.3339, true},
		{9, 10, 3, 10, 0.1705, 0.8090, true},
		{6, 7, 2, 7, 0.0582, 0.8062, true},
		{5, 56, 0, 29, -0.0381, 0.1926, false},
		{0, 10, 0, 20, -0.1611, 0.2775, false},
		{10, 10, 0, 20, 0.6791, 1, true},
	} {
		d := DifferenceOfRates(test.won, test.n, test.wonBefore, test.nBefore)
		near(t, "low", d.Low, test.low, 5e-5)
		near(t, "high", d.High, test.high, 5e-5)
		if d.Clear != test.clear {
			t.Errorf("%+v: %+v", test, d)
		}
	}
}

// even is a count that came evenly, so that nothing is overdispersed.
func even(n int64, days float64) Count { return Count{N: n, Days: days} }

// Breast cancer in women with fluoroscopy and without (Boice and Monson 1977,
// as the manual of Stata's ir prints them, there with exact bounds).
func TestRatioOfCounts(t *testing.T) {
	d := RatioOfCounts(even(41, 28010), even(15, 19017))
	near(t, "ratio", d.Value, 1.855759, 5e-7)
	near(t, "low", d.Low, 1.005684, 5e-6)
	near(t, "high", d.High, 3.609, 5e-4)
	if !d.Clear {
		t.Errorf("not clear: %+v", d)
	}
	if d := RatioOfCounts(even(6, 31), even(0, 31)); !math.IsInf(d.Value, 1) || !math.IsInf(d.High, 1) || !d.Clear {
		t.Errorf("6 of none: %+v", d) // 0.025^(1/6) of all is above half
	}
	if d := RatioOfCounts(even(3, 31), even(0, 31)); d.Clear {
		t.Errorf("3 of none: %+v", d)
	}
	if d := RatioOfCounts(even(0, 31), even(0, 31)); d.Clear {
		t.Errorf("none of none: %+v", d)
	}
	// The same 90 against 60 are clear when they come evenly, 3 and 2 a day, and
	// are noise when 60 of the 90 came on one day.
	calm := RatioOfCounts(Count{90, 30, 30 * 9}, Count{60, 30, 30 * 4})
	burst := RatioOfCounts(Count{90, 30, 60*60 + 29 + 1}, Count{60, 30, 30 * 4})
	if !calm.Clear || burst.Clear || burst.Value != calm.Value {
		t.Errorf("calm %+v, burst %+v", calm, burst)
	}
}

// Two of Poisson's rate each: X² of 1, 3, 2, 2 about 2 is 1, and of 4, 0, 0, 4
// about 2 it is 8; of 6 degrees of freedom that makes 9/6.
func TestDispersion(t *testing.T) {
	near(t, "dispersion", Dispersion(Count{8, 4, 18}, Count{8, 4, 32}), 1.5, 1e-12)
	near(t, "dispersion of even days", Dispersion(Count{8, 4, 16}), 1, 0)
	near(t, "dispersion of nothing", Dispersion(Count{0, 4, 0}), 1, 0)
}

// The hours of sleep of Student (1908), in tenths: R prints this interval for
// t.test(extra ~ group, data = sleep).
func TestDifferenceOfMeans(t *testing.T) {
	sample := func(values ...int64) (s Sample) {
		for _, v := range values {
			s.N++
			s.Sum += v
			s.Squares += v * v
		}
		return s
	}
	d, ok := DifferenceOfMeans(sample(7, -16, -2, -12, -1, 34, 37, 8, 0, 20), sample(19, 8, 11, 1, -1, 44, 55, 16, 46, 34))
	near(t, "difference", d.Value, -15.8, 1e-12)
	near(t, "low", d.Low, -33.654832, 1e-6)
	near(t, "high", d.High, 2.054832, 1e-6)
	if !ok || d.Clear {
		t.Errorf("%+v, %v", d, ok)
	}
	for _, s := range []Sample{{}, sample(1), sample(2, 2)} {
		if _, ok := DifferenceOfMeans(s, sample(3, 3)); ok {
			t.Errorf("an interval from %+v", s)
		}
	}
}
