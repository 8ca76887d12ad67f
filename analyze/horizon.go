package analyze

import (
	"math"
	"sort"
)

// horizon returns a 95 % interval of the time by which the share p has come of
// what was observed, whatever its distribution. By a time has come at least what
// ended by then, and at most what began before it: two shares of independent
// observations, with Wilson's bounds (1927). The quantile lies where the share can
// be p (by inversion, as Brookmeyer and Crowley 1982). Between two times at which
// retries came no likelihood tells more (Turnbull 1976: the curve is not defined
// within its innermost intervals), so that the interval is never narrower than
// these. high is +Inf where so few were observed that they may all come sooner.
func horizon(of []interval, p float64) (low, high float64) {
	n := len(of)
	begins, ends := make([]float64, n), make([]float64, n)
	for i, x := range of {
		begins[i], ends[i] = x.low, x.high
	}
	low = nth(begins, sort.Search(n-1, func(k int) bool {
		_, most := wilson(k+1, n)
		return most >= p
	}))
	last := sort.Search(n, func(k int) bool {
		least, _ := wilson(k+1, n)
		return least >= p
	})
	if last == n {
		return low, math.Inf(1)
	}
	return low, nth(ends, last)
}
