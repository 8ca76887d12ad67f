package analyze

import "math"

// A Difference is what changed from one span to the next, with its 95 %
// interval. Of counts it is a ratio, 1 for no change; of rates and means it is
// a difference, 0 for no change.
type Difference struct {
	Value, Low, High float64 // Value is +Inf of a ratio to nothing, and so may High be
	Clear            bool    // the interval leaves out no change
}

// DifferenceOfRates compares won of n with what it was before, by the hybrid
// score interval of Newcombe (1998), "Interval estimation for the difference
// between independent proportions", Statistics in Medicine 17, method 10. Both
// n must be above 0. It takes incidents as independent.
func DifferenceOfRates(won, n, wonBefore, nBefore int64) Difference {
	bounds := difference(tally{int(wonBefore), int(nBefore)}, tally{int(won), int(n)})
	return differing(float64(won)/float64(n)-float64(wonBefore)/float64(nBefore), bounds[0], bounds[1], 0)
}

// A Count is a number of things in a span of days.
type Count struct {
	N       int64
	Days    float64
	Squares int64 // the sum of the squares of each day's number
}

// RatioOfCounts compares what came per day with what came before, by the exact
// interval for the ratio of two Poisson rates, which is that of a binomial
// given their sum (Przyborowski and Wilenski 1940, Clopper and Pearson 1934).
//
// Failures come in bursts, so they scatter more than Poisson counts do. As with
// quasi-likelihood, both counts are divided by their [Dispersion] first, which
// widens the interval. A week with quiet days scatters too: the interval errs
// on the wide side.
func RatioOfCounts(now, before Count) Difference {
	phi := Dispersion(now, before)
	a, b := float64(now.N)/phi, float64(before.N)/phi
	if a == 0 && b == 0 {
		return Difference{Value: 1, High: math.Inf(1)}
	}
	days := before.Days / now.Days
	odds := func(p float64) float64 { return p / (1 - p) * days }
	low, high := 0.0, math.Inf(1)
	if a > 0 {
		low = odds(beta{a, b + 1}.quantile(0.025))
	}
	if b > 0 {
		high = odds(beta{a + 1, b}.quantile(0.975))
	}
	return differing(a/b*days, low, high, 1)
}

// Dispersion is how much more the days' numbers scatter than Poisson counts of
// one rate per span would: Pearson's X² over its degrees of freedom (McCullagh
// and Nelder 1989, "Generalized Linear Models", 6.2.4), and never below 1.
func Dispersion(spans ...Count) float64 {
	var x2, free float64
	for _, c := range spans {
		if c.N > 0 && c.Days > 1 {
			mean := float64(c.N) / c.Days
			x2 += (float64(c.Squares) - float64(c.N)*mean) / mean
			free += c.Days - 1
		}
	}
	if free == 0 {
		return 1
	}
	return max(1, x2/free)
}

// A Sample is what a mean rests on.
type Sample struct{ N, Sum, Squares int64 }

func (s Sample) mean() float64 { return float64(s.Sum) / float64(s.N) }

// spread is the variance of the mean.
func (s Sample) spread() float64 {
	n := float64(s.N)
	return max(0, (float64(s.Squares)-s.mean()*float64(s.Sum))/(n-1)) / n
}

// DifferenceOfMeans compares two means by the t interval of Welch (1947) for
// unequal variances, with the degrees of freedom of Satterthwaite (1946). It is
// not ok where a sample has fewer than 2 values or neither has any spread: then
// nothing tells the noise.
func DifferenceOfMeans(now, before Sample) (d Difference, ok bool) {
	if now.N < 2 || before.N < 2 {
		return d, false
	}
	a, b := now.spread(), before.spread()
	if a+b == 0 {
		return d, false
	}
	free := (a + b) * (a + b) / (a*a/float64(now.N-1) + b*b/float64(before.N-1))
	half := student(free) * math.Sqrt(a+b)
	v := now.mean() - before.mean()
	return differing(v, v-half, v+half, 0), true
}

// student is the 97.5 % point of Student's t: with t² = ν(1−x)/x, x is that of
// a Beta(ν/2, ½) (DLMF 8.17, Abramowitz and Stegun 26.7.1).
func student(free float64) float64 {
	x := beta{free / 2, 0.5}.quantile(0.05)
	return math.Sqrt(free * (1 - x) / x)
}

func differing(v, low, high, none float64) Difference {
	return Difference{v, low, high, low > none || high < none}
}

// RateInterval returns the 95 % bounds of the proportion won of n (Wilson 1927).
func RateInterval(won, n int64) (low, high float64) { return wilson(int(won), int(n)) }

// MeanInterval returns the 95 % bounds of a mean by Student's t; not ok with
// fewer than 2 values.
func MeanInterval(s Sample) (low, high float64, ok bool) {
	if s.N < 2 {
		return 0, 0, false
	}
	half := student(float64(s.N-1)) * math.Sqrt(s.spread())
	return s.mean() - half, s.mean() + half, true
}
