package analyze

import "math"

// An onward counts, by the retries that they made, the incidents that a looser
// cap takes further than they went. What that comes to is an expectation: it
// varies by the chance of each of them, and by the hazards, which are themselves
// estimates and the same for all.
type onward []int

func (o *onward) add(made int) {
	for len(*o) <= made {
		*o = append(*o, 0)
	}
	(*o)[made]++
}

// The sums of a replay, in the order of their figures.
const (
	ofResolved = iota
	ofRetries
	ofWait
	ofTokens
	ofUSD
	sums
)

// An outlook is what the further retries of one incident vary by.
type outlook struct {
	variance [sums]float64
	slopes   [][sums]float64 // by how much each sum grows with the hazard of each step
}

// outlookOf looks at the retries that an incident which made so many makes under a
// cap: retry j is made where none before passed, and costs what it costs.
func outlookOf(made, cap int, steps []step) outlook {
	out := outlook{slopes: make([][sums]float64, len(steps))}
	last := min(cap, len(steps)+1)
	var mean, square, before [sums]float64
	alive := []float64{1} // before each further retry
	for k := made + 1; k <= last; k++ {
		cost := steps[min(k, len(steps))-1].costs()
		left := alive[len(alive)-1]
		for i, v := range cost {
			mean[i] += left * v
			square[i] += left * v * (2*before[i] + v)
			before[i] += v
		}
		alive = append(alive, left*(1-hazardOf(k, steps)))
	}
	end := alive[len(alive)-1]
	var behind [sums]float64 // what comes after a retry
	for i, v := range steps[len(steps)-1].costs() {
		v *= float64(inVain(made, cap, steps))
		mean[i] += end * v
		square[i] += end * v * (2*before[i] + v)
		behind[i] = end * v
	}
	for i := range sums {
		out.variance[i] = max(0, square[i]-mean[i]*mean[i])
	}
	out.variance[ofResolved] = end * (1 - end)
	for k := last; k > made; k-- {
		at := min(k, len(steps)) - 1
		lost := 1 - hazardOf(k, steps)
		for i := range sums {
			out.slopes[at][i] -= behind[i] / lost
		}
		out.slopes[at][ofResolved] += end / lost
		for i, v := range steps[at].costs() {
			behind[i] += alive[k-made-1] * v
		}
	}
	return out
}

// hazardOf is what a replay takes retry k to win: beyond all that was made the
// lower bound of the last one. It is never quite sure to, so that what would come
// after it can be told.
func hazardOf(k int, steps []step) float64 {
	if k > len(steps) {
		return min(steps[len(steps)-1].Low, 1-1e-9)
	}
	return min(steps[k-1].Hazard, 1-1e-9)
}

// costs are what a retry adds to the sums; of the resolved nothing.
func (s *step) costs() [sums]float64 {
	return [sums]float64{ofRetries: 1, ofWait: s.seconds, ofTokens: s.tokens, ofUSD: s.usd}
}

// varies returns the variance of what all of them come to under a cap: by their
// own chance, and by the doubt of each hazard, to first order (the delta method).
func (o onward) varies(cap int, steps []step) (own, shared [sums]float64) {
	slopes := o.slopes(cap, steps)
	for made, n := range o {
		if n > 0 {
			for i, v := range outlookOf(made, cap, steps).variance {
				own[i] += float64(n) * v
			}
		}
	}
	for k := range slopes {
		for i, slope := range slopes[k] {
			d := slope * steps[k].doubt()
			shared[i] += d * d
		}
	}
	return own, shared
}

// slopes adds up those of all of them.
func (o onward) slopes(cap int, steps []step) [][sums]float64 {
	all := make([][sums]float64, len(steps))
	for made, n := range o {
		if n == 0 {
			continue
		}
		for k, of := range outlookOf(made, cap, steps).slopes {
			for i, slope := range of {
				all[k][i] += float64(n) * slope
			}
		}
	}
	return all
}

// doubt is the standard error of the hazard, at the middle of Wilson's interval:
// where none or all passed the share itself would tell of none.
func (s *step) doubt() float64 {
	p := (s.Low + s.High) / 2
	return math.Sqrt(p * (1 - p) / float64(s.AtRisk))
}

// onwards are those of two plans, by what tells of the retries that nobody made.
type onwards []struct {
	before *experience
	of     [2]onward
}

// at returns those of which before tells.
func (o *onwards) at(before *experience) *[2]onward {
	for i := range *o {
		if (*o)[i].before == before {
			return &(*o)[i].of
		}
	}
	*o = append(*o, struct {
		before *experience
		of     [2]onward
	}{before: before})
	return &(*o)[len(*o)-1].of
}
