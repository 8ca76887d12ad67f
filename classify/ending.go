package classify

import (
	"cmp"
	"slices"
)

// endings know where literals may end in a text: shift-or (Baeza-Yates and Gonnet 1992)
// for eight sets of literals at once. The state behind a byte has a byte for each length
// up to eight, with a bit for each set: 0 if the text so far ends with bytes that
// literals of the set have there, up to that length of their last eight.
type endings struct {
	not   [256]uint64
	begin uint64 // the state at the start of a text
}

// noEnding is the least state in which no literal ends.
const noEnding = 0xff << 56

// next returns the first place in text[at:] behind whose byte literals may end, or
// len(text), and the state there. The state before text[at] is given.
func (e *endings) next(text []byte, at int, state uint64) (int, uint64) {
	for ; at < len(text); at++ {
		if state = state<<8 | e.not[text[at]]; state < noEnding {
			break
		}
	}
	return at, state
}

// newEndings returns the endings of list. Literals of a set end alike.
func newEndings(list []filed) (e endings) {
	list = slices.SortedFunc(slices.Values(list), func(a, b filed) int {
		return cmp.Compare(a.tail, b.tail)
	})
	for b := range e.not {
		e.not[b] = 1<<64 - 1
	}
	for n, lit := range list {
		set, first := 8*n/len(list), int(lit.short/8)
		for at := first; at < tailSize; at++ {
			e.not[byte(lit.tail>>(8*at))] &^= 1 << (8*at + set)
		}
		for b := range e.not { // before a short one may stand anything, or a border
			for at := range first {
				if at < first-1 || lit.ends&isEdge == 0 || !word[b] {
					e.not[b] &^= 1 << (8*at + set)
				}
			}
		}
	}
	for range tailSize {
		e.begin = e.begin<<8 | e.not[0]
	}
	return e
}

// longHash returns the hash of the literals with that tail, shortHash of those with its last
// three bytes.
func longHash(tail uint64) uint64  { return tail * hashFactor }
func shortHash(tail uint64) uint64 { return tail >> 40 * hashFactor }
