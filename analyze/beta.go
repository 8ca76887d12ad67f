package analyze

import "math"

// A beta is a Beta distribution of a proportion: what is known of a hazard
// before (a prior) or after (a posterior) counting its wins and losses.
type beta struct{ a, b float64 }

// jeffreys is the prior of a proportion about which nothing is known
// (Jeffreys 1946): worth half a win and half a loss.
var jeffreys = beta{0.5, 0.5}

// after returns the posterior once won of n were seen (the Beta is conjugate
// to the binomial: Gelman and others, "Bayesian Data Analysis", section 2.4).
func (d beta) after(won, n int) beta {
	return beta{d.a + float64(won), d.b + float64(n-won)}
}

func (d beta) mean() float64     { return d.a / (d.a + d.b) }
func (d beta) strength() float64 { return d.a + d.b }
func (d beta) variance() float64 { return d.mean() * (1 - d.mean()) / (d.strength() + 1) }

// below returns P(X ≤ x).
func (d beta) below(x float64) float64 { return incompleteBeta(d.a, d.b, x) }

// bounds returns the central 95 % interval.
func (d beta) bounds() (low, high float64) { return d.quantile(0.025), d.quantile(0.975) }

// averaged is into how many parts average cuts the interval.
const averaged = 24

// average is the mean of f(X), with f taken at the middle of each part of [0, 1].
func (d beta) average(f func(x float64) float64) float64 {
	sum, before := 0.0, 0.0
	for i := range averaged {
		below := d.below(float64(i+1) / averaged)
		sum += (below - before) * f((float64(i)+0.5)/averaged)
		before = below
	}
	return sum
}

// quantile inverts below by Newton's steps, and by halving where one leads out
// of what is left: 60 halvings are more than a float tells.
func (d beta) quantile(p float64) float64 {
	low, high, x := 0.0, 1.0, d.mean()
	whole := lnBeta(d.a, d.b)
	for range 60 {
		off := d.below(x) - p
		if off < 0 {
			low = x
		} else {
			high = x
		}
		density := math.Exp((d.a-1)*math.Log(x) + (d.b-1)*math.Log1p(-x) - whole)
		next := x - off/density
		if math.Abs(next-x) <= quantileStep*min(x, 1-x) {
			return min(max(next, low), high)
		}
		if !(next > low && next < high) { // a density of 0 or infinity too
			next = (low + high) / 2
		}
		x = next
	}
	return x
}

// quantileStep is the step of a quantile, as a part of how far it is from 0 and
// 1, that is its last: as they shrink by squares, the next would be beyond what a
// float tells.
const quantileStep = 1e-9

// incompleteBeta returns the regularized incomplete beta function I_x(a, b), by
// the continued fraction DLMF 8.17.22 (https://dlmf.nist.gov/8.17.E22), which
// converges fast for x < (a+1)/(a+b+2); above that by I_x(a,b) = 1 − I_{1−x}(b,a)
// (DLMF 8.17.4).
func incompleteBeta(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(b, a, 1-x)
	}
	front := math.Exp(a*math.Log(x) + b*math.Log1p(-x) - lnBeta(a, b))
	return front / a * betaFraction(a, b, x)
}

// betaFraction is 1/(1 + d1/(1 + d2/(1 + …))) with the d of DLMF 8.17.23, by
// the method of Lentz (1976) as Thompson and Barnett (1986) made it safe.
func betaFraction(a, b, x float64) float64 {
	const tiny, enough, most = 1e-300, 1e-15, 2000
	safe := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/safe(1-(a+b)*x/(a+1))
	f := d
	for i := 1; i <= most; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / safe(1+even*d)
		c = safe(1 + even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / safe(1+odd*d)
		c = safe(1 + odd/c)
		f *= d * c
		if math.Abs(d*c-1) < enough {
			break
		}
	}
	return f
}

// lnBeta is the logarithm of the complete beta function.
func lnBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}
