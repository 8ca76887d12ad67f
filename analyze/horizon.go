package analyze

import (
	"math"
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
func (s *sorter) bounds(p float64) (low, high float64) {
	r := rand.New(rand.NewPCG(1976, uint64(len(s.low))))
	sample := make([]int, min(len(s.low), resampled))
	var ends []float64
	for range resamples {
		for i := range sample {
			sample[i] = r.IntN(len(s.low))
		}
		t := s.turnbull(sample)
		ends = append(ends, t.curve(t.leap()).reaches(p))
	}
	slices.Sort(ends)
	return ends[1], ends[len(ends)-2]
}

// leap is settle in a fifth of the time: every third round starts from where the
// two before it were heading (squared extrapolation: Varadhan and Roland 2008,
// scheme S3).
func (t *turnbull) leap() []float64 {
	mass, one, two, far := t.even(), t.even(), t.even(), t.even()
	rounds := rounds{t, make([]float64, len(mass)+1), make([]float64, len(mass)+1)}
	for range leaps {
		rounds.round(mass, one)
		if rounds.round(one, two) < leapSettled {
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
		rounds.round(far, mass)
	}
	return mass
}
