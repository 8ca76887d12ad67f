package analyze

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for n := 1; n < 300; n += 1 + n/7 {
		set, want := newRanks(n), map[int]bool{}
		set.add(n - 1)
		set.clear()
		for range n / 3 {
			i := r.IntN(n)
			set.add(i)
			want[i] = true
		}
		set.count()
		below := 0
		for i := range n {
			if got := set.before(i); got != below {
				t.Fatalf("of %d numbers %d are below %d, want %d", n, got, i, below)
			}
			if want[i] {
				below++
			}
		}
		if got := slices.Collect(set.each); len(got) != len(want) || !slices.IsSorted(got) || slices.ContainsFunc(got, func(i int) bool { return !want[i] }) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// The draws of the bootstrap are those of math/rand, so that its intervals stay.
func TestDrawBelow(t *testing.T) {
	for _, n := range []int{1, 2, 3, 64, 399, 400, 70_001, 1<<31 - 1, 1<<62 + 1} {
		own, theirs := rand.NewPCG(1976, uint64(n)), rand.New(rand.NewPCG(1976, uint64(n)))
		for range 2000 {
			if got, want := drawBelow(own, n), theirs.IntN(n); got != want {
				t.Fatalf("below %d: %d, want %d", n, got, want)
			}
		}
	}
}
