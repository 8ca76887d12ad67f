package classify

import (
	"slices"
	"strings"
)

// An onlySet holds the words of a rule's "only", in small letters: by their
// first byte, the longest first.
type onlySet [256][]string

// onlyText is the longest text that a rule's "only" is asked about: a text that
// says nothing is short, and so is the time to see it.
const onlyText = 240

func newOnlySet(words []string) *onlySet {
	if len(words) == 0 {
		return nil
	}
	o := &onlySet{}
	for _, w := range words {
		if w = strings.ToLower(string(fold(nil, w))); w == "" {
			continue // only white space, which may stand anywhere
		}
		o[w[0]] = append(o[w[0]], w)
	}
	for _, list := range o {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return o
}

// covers says whether text holds nothing but words of the set and signs.
func (o *onlySet) covers(text []byte) bool {
	if len(text) > onlyText {
		return false
	}
	for i := 0; i < len(text); {
		if n := o.at(text[i:]); n > 0 {
			i += n
		} else if text[i] < 0x80 && !word[text[i]] {
			i++
		} else {
			return false
		}
	}
	return true
}

// at returns the length of the word of the set that text starts with, or 0.
func (o *onlySet) at(text []byte) int {
next:
	for _, w := range o[lower[text[0]]] {
		if len(w) > len(text) {
			continue
		}
		for k := range len(w) {
			if lower[text[k]] != w[k] {
				continue next
			}
		}
		if n := len(w); n == len(text) || !word[text[n-1]] || !word[text[n]] {
			return n
		}
	}
	return 0
}
