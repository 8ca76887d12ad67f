package analyze

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

const (
	// resamples of the bootstrap (Efron 1979) give the 95 % interval of a point
	// of a curve: with 79, the second and the 78th are its ends. What lies
	// between those is 95 % give or take 2.4 (the Beta with 76 and 4, of the
	// order statistics of uniform draws).
	resamples = 79
	// resampled is the most observations of a resample: more would only narrow
	// the interval, and cost time.
	resampled = 400
	// leaps is the most rounds of three of a resample's estimate.
	leaps = 10
	// leapSettled is as curveSettled: of a resample only the point that its curve
	// reaches is kept.
	leapSettled = 1e-4
)

// bounds returns the 95 % interval of the time by which the share p of the
// recoveries has come, by resampling the observations, always with the same draws.
// The points of the curve stay: a resample is how often it has each span.
func (t *turnbull) bounds(p float64) (low, high float64) {
	draws := rand.NewPCG(1976, uint64(len(t.of)))
	drawn := make([]float64, len(t.spans))
	sample := turnbull{times: t.times, n: float64(min(len(t.of), resampled))}
	r := rounds{turnbull: &sample}
	var ends []float64
	for range resamples {
		clear(drawn)
		for range min(len(t.of), resampled) {
			drawn[t.of[drawBelow(draws, len(t.of))]]++
		}
		sample.spans, sample.counts = sample.spans[:0], sample.counts[:0]
		for i, n := range drawn {
			if n > 0 {
				sample.spans, sample.counts = append(sample.spans, t.spans[i]), append(sample.counts, n)
			}
		}
		ends = append(ends, sample.curve(r.leap()).reaches(p))
	}
	slices.Sort(ends)
	return ends[1], ends[len(ends)-2]
}

// drawBelow draws a number below n with the same chance for each, as
// [rand.Rand.IntN] does: the upper half of the product of n and 64 random bits,
// where the lower half does not favour it (Lemire 2019, "Fast random integer
// generation in an interval").
func drawBelow(r *rand.PCG, n int) int {
	m := uint64(n)
	if m&(m-1) == 0 {
		return int(r.Uint64() & (m - 1))
	}
	high, low := bits.Mul64(r.Uint64(), m)
	for low < m && low < -m%m {
		high, low = bits.Mul64(r.Uint64(), m)
	}
	return int(high)
}

// leap is settle in a fifth of the time: every third round starts from where the
// two before it were heading (squared extrapolation: Varadhan and Roland 2008,
// scheme S3).
func (r *rounds) leap() []float64 {
	mass, one, two, far := r.begin()
	for range leaps {
		r.round(mass, one)
		if r.round(one, two) < leapSettled {
			return two
		}
		step, bend := 0.0, 0.0
		for i := range mass {
			r, v := one[i]-mass[i], two[i]-2*one[i]+mass[i]
			step += r * r
			bend += v * v
		}
		a := 1.0
		if bend > 0 {
			a = max(1, math.Sqrt(step/bend))
		}
		for i := range mass {
			r, v := one[i]-mass[i], two[i]-2*one[i]+mass[i]
			if far[i] = mass[i] + 2*a*r + a*a*v; far[i] <= 0 {
				far[i] = two[i] / 2 // what has no mass would never gain any
			}
		}
		r.round(far, mass)
	}
	return mass
}

// begin lays out what the rounds write on, in the memory of those before, and
// the same mass at each point where an observation of the sample ends: there
// is none elsewhere.
func (r *rounds) begin() (mass, one, two, far []float64) {
	points := len(r.times) + 1
	r.room = slices.Grow(r.room[:0], 6*(points+1))[:6*(points+1)]
	of := func(i int) []float64 { return r.room[i*(points+1):][:points] }
	r.upTo, r.weight = r.room[4*(points+1):5*(points+1)], r.room[5*(points+1):]
	r.upTo[0] = 0
	mass, one, two, far = of(0), of(1), of(2), of(3)
	clear(mass)
	ends := 0.0
	for _, s := range r.spans {
		ends += 1 - mass[s.high]
		mass[s.high] = 1
	}
	for i := range mass {
		mass[i] /= ends
	}
	return mass, one, two, far
}
