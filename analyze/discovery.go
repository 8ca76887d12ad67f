package analyze

import (
	"cmp"
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
