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
)

// recovery estimates the distribution of times of which only intervals are
// known, by self-consistency (Turnbull 1976): each observation is shared among
// the points of its interval in proportion to the present estimate, until that
// no longer changes. The points are the intervals' ends, thinned on a
// logarithmic scale; one more, beyond all, takes what never recovered.
func recovery(of []interval) curve {
	times := points(of)
	counts := map[[2]int]float64{}
	for _, x := range of {
		low, is := slices.BinarySearch(times, x.low) // the first point after the lower end
		if is && x.low > 0 {
			low++
		}
		high := len(times)
		if !math.IsInf(x.high, 1) {
			high, _ = slices.BinarySearch(times, x.high)
			low = min(low, high)
		}
		counts[[2]int{low, high}]++
	}
	keys := make([][2]int, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	mass := make([]float64, len(times)+1)
	for i := range mass {
		mass[i] = 1 / float64(len(mass))
	}
	for range curveRounds {
		next := make([]float64, len(mass))
		for _, k := range keys {
			total := 0.0
			for j := k[0]; j <= k[1]; j++ {
				total += mass[j]
			}
			if total == 0 {
				continue
			}
			for j := k[0]; j <= k[1]; j++ {
				next[j] += counts[k] / float64(len(of)) * mass[j] / total
			}
		}
		mass = next
	}
	c := curve{times: times, share: make([]float64, len(times))}
	sum := 0.0
	for i := range times {
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
