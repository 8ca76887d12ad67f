package analyze

import (
	"math"
)

// pauses are how long the retries of a cell waited and ran, of the first few
// hundred that tell both.
type pauses struct {
	waited, ran []float64 // seconds
	asked       []float64 // by the server, of the incidents where it did
}

// mostPauses is how many retries are looked at: the median of so many is within
// 5 % of the quantiles around it.
const mostPauses = 1000

func (p *pauses) add(c *Chain) {
	if c.After > 0 {
		p.asked = append(p.asked, c.After)
	}
	for _, cost := range c.Cost {
		if cost.Known && cost.Waited > 0 && len(p.ran) < mostPauses {
			p.waited, p.ran = append(p.waited, cost.Waited), append(p.ran, max(0, cost.Seconds-cost.Waited))
		}
	}
}

// quantile returns that of values, which it puts into another order; 0 of none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return nth(values, int(share*float64(len(values)-1)))
}

// run is how long a retry itself takes, in seconds; 0 where nobody tells.
func (p *pauses) run() float64 { return quantile(p.ran, 0.5) }

// between returns the waits that reach the points of the curve, of which some may
// be the same: from one to the next, less what the retry itself takes. None is
// shorter than nearly all that were recorded, as nobody knows what comes of such.
// None is shorter than the one before either: a service that is down is not
// pressed harder the longer it is. Waits that would shrink become their mean,
// by pooling adjacent violators (Ayer et al. 1955), so that the last retry
// comes when it would have.
func (p *pauses) between(points []float64) []float64 {
	least, run := quantile(p.waited, 0.05), p.run()
	var waits []float64
	before := 0.0
	for _, t := range points {
		if t > before || len(waits) == 0 {
			waits = append(waits, max(0, least, t-before-run))
		}
		before = max(before, t)
	}
	waits = growing(waits)
	if len(p.asked) > 0 {
		first := quantile(p.asked, 0.5)
		for i := range waits {
			waits[i] = max(waits[i], first)
		}
	}
	for i := range waits {
		waits[i] = twoDigits(waits[i])
	}
	return waits
}

// last is when the last of so many retries comes that wait like that, in seconds.
func (p *pauses) last(waits []float64, retries int) float64 {
	sum := 0.0
	for k := range retries {
		sum += waits[min(k, len(waits)-1)] + p.run()
	}
	return sum
}

// growing returns the values that never shrink and are nearest to these in the
// sum of squares.
func growing(values []float64) []float64 {
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	mean := func(p pool) float64 { return p.sum / float64(p.n) }
	for _, v := range values {
		last := pool{v, 1}
		for n := len(pools); n > 0 && mean(pools[n-1]) > mean(last); n = len(pools) {
			last.sum, last.n = last.sum+pools[n-1].sum, last.n+pools[n-1].n
			pools = pools[:n-1]
		}
		pools = append(pools, last)
	}
	grown := make([]float64, 0, len(values))
	for _, p := range pools {
		for range p.n {
			grown = append(grown, mean(p))
		}
	}
	return grown
}

// twoDigits rounds to two significant digits, as the curve tells no more.
func twoDigits(v float64) float64 {
	if v <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(math.Round(v/unit)*unit*1000) / 1000
}

// nth returns the value that would stand at n if the values were sorted, which
// it puts into another order (Hoare 1961).
func nth(values []float64, n int) float64 {
	for low, high := 0, len(values)-1; low < high; {
		middle, i, j := values[low+(high-low)/2], low, high
		for i <= j {
			for values[i] < middle {
				i++
			}
			for values[j] > middle {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return values[n]
		}
	}
	return values[n]
}
