package analyze

import "math/bits"

// A ranks is a set of small numbers, a bit each, that knows how many of them
// are below a number.
type ranks struct {
	words []uint64
	upTo  []int // numbers in the words before each, once counted
}

// newRanks makes an empty set of numbers below n.
func newRanks(n int) ranks {
	words := n/64 + 1
	return ranks{make([]uint64, words), make([]int, words)}
}

func (r *ranks) clear()    { clear(r.words) }
func (r *ranks) add(i int) { r.words[i>>6] |= 1 << (i & 63) }

// each yields the numbers, rising.
func (r *ranks) each(yield func(int) bool) {
	for i, word := range r.words {
		for ; word != 0; word &= word - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// count must come between the last add and before.
func (r *ranks) count() {
	n := 0
	for i, word := range r.words {
		r.upTo[i] = n
		n += bits.OnesCount64(word)
	}
}

// before returns how many numbers are below i.
func (r *ranks) before(i int) int {
	return r.upTo[i>>6] + bits.OnesCount64(r.words[i>>6]&(1<<(i&63)-1))
}
