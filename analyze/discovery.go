package analyze

import (
	"cmp"
	"math"
	"slices"
)

// falseDiscoveries is the share of changes that may be wrong, over all cells
// looked at: one in twenty.
const falseDiscoveries = 0.05

// discoveries tells which of the p-values may be called discoveries so that at
// most the share q of them is expected to be false: the largest k with
// p_(k) ≤ k·q/m, and all below it (Benjamini and Hochberg 1995, procedure 1).
func discoveries(p []float64, q float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	last := -1
	for rank, i := range order {
		if p[i] <= q*float64(rank+1)/float64(len(p)) {
			last = rank
		}
	}
	out := make([]bool, len(p))
	for _, i := range order[:last+1] {
		out[i] = true
	}
	return out
}

// poissonAtLeast returns P(X ≥ n) of a Poisson law, by its sum.
func poissonAtLeast(n int, mean float64) float64 {
	if n <= 0 {
		return 1
	}
	if mean <= 0 {
		return 0
	}
	if float64(n) <= mean { // not in the tail: more than a third
		return 1
	}
	logTerm := -mean
	for k := 1; k <= n; k++ {
		logTerm += math.Log(mean / float64(k))
	}
	term, sum := math.Exp(logTerm), 0.0
	for k := n; term > sum*1e-17 && term > 0; k++ {
		sum += term
		term *= mean / float64(k+1)
	}
	return sum
}
