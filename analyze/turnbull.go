package analyze

import (
	"math"
	"slices"
)

// An interval is a time that lies in (low, high], high +Inf when all that is
// known is that it is later: right-censored.
type interval struct{ low, high float64 }

// A curve is the share that has recovered by each of its times.
type curve struct {
	times []float64
	share []float64 // by then; rising, its last is what recovered at all
}

const (
	// curvePoints bounds the times of a curve: two a doubling from a tenth of a
	// second to a day, finer than any delay is set.
	curvePoints = 40
	// curveRounds is when the estimate has settled to a tenth of a per cent on
	// curves of this size (measured on simulated ones).
	curveRounds = 200
	// curveSettled is the change of the mass of any point in one round below
	// which the estimate is done.
	curveSettled = 1e-5
)

// recovery estimates the distribution of times of which only intervals are
// known, by self-consistency (Turnbull 1976): each observation is shared among
// the points of its interval in proportion to the present estimate, until that
// no longer changes. The points are the intervals' ends, thinned on a
// logarithmic scale; one more, beyond all, takes what never recovered.
func recovery(of []interval) curve {
	return sortOut(of).settle(len(of))
}

// A turnbull is a set of observed intervals, sorted out by the points of the
// curve that they span.
type turnbull struct {
	times  []float64 // the points but the one beyond all
	spans  []span    // that occur, in order
	counts []float64 // observations of each span
}

// A span is the first and the last point that an observation may have been at.
type span struct{ low, high int }

// sortOut sorts observations out by what points they span.
func sortOut(of []interval) *turnbull {
	t := &turnbull{times: points(of)}
	width := len(t.times) + 1
	seen := make([]float64, width*width)
	for _, x := range of {
		low, is := slices.BinarySearch(t.times, x.low) // the first point after the lower end
		if is && x.low > 0 {
			low++
		}
		high := len(t.times)
		if !math.IsInf(x.high, 1) {
			high, _ = slices.BinarySearch(t.times, x.high)
			low = min(low, high)
		}
		seen[low*width+high]++
	}
	for at, n := range seen {
		if n > 0 {
			t.spans = append(t.spans, span{at / width, at % width})
			t.counts = append(t.counts, n)
		}
	}
	return t
}

// settle returns the self-consistent curve of n observations. A round costs as
// many steps as there are spans and points, however long the spans: sums over
// a span are differences of running sums.
func (t *turnbull) settle(n int) curve {
	mass := make([]float64, len(t.times)+1)
	for i := range mass {
		mass[i] = 1 / float64(len(mass))
	}
	upTo, weight := make([]float64, len(mass)+1), make([]float64, len(mass)+1)
	for range curveRounds {
		for i, m := range mass {
			upTo[i+1] = upTo[i] + m
		}
		clear(weight)
		for i, s := range t.spans {
			if total := upTo[s.high+1] - upTo[s.low]; total > 0 {
				share := t.counts[i] / (float64(n) * total)
				weight[s.low] += share
				weight[s.high+1] -= share
			}
		}
		running, moved := 0.0, 0.0
		for i, m := range mass {
			running += weight[i]
			mass[i] = m * max(0, running)
			moved = max(moved, math.Abs(mass[i]-m))
		}
		if moved < curveSettled {
			break
		}
	}
	c := curve{times: t.times, share: make([]float64, len(t.times))}
	sum := 0.0
	for i := range t.times {
		sum += mass[i]
		c.share[i] = sum
	}
	return c
}

// points are the upper ends of the intervals, at most curvePoints.
func points(of []interval) []float64 {
	var ends []float64
	for _, x := range of {
		if !math.IsInf(x.high, 1) {
			ends = append(ends, max(x.high, 0.001))
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	if len(ends) <= curvePoints {
		return ends
	}
	out := []float64{}
	step := math.Pow(ends[len(ends)-1]/ends[0], 1/float64(curvePoints-1))
	for _, t := range ends {
		if len(out) == 0 || t >= out[len(out)-1]*step || t == ends[len(ends)-1] {
			out = append(out, t)
		}
	}
	return out
}

// reaches returns the time by which the share p of all that ever recover has
// recovered; 0 when none does.
func (c curve) reaches(p float64) float64 {
	if len(c.times) == 0 {
		return 0
	}
	all := c.share[len(c.share)-1]
	for i, s := range c.share {
		if s >= p*all-1e-9 {
			return c.times[i]
		}
	}
	return c.times[len(c.times)-1]
}
