package classify

// An automaton finds every phrase of a set in one pass over a text: Aho and
// Corasick's machine (1975) over one short anchor of each phrase, as a table
// without failure links, so that each byte costs one look-up. What it finds is
// a candidate, which [phrase.match] then compares in full; so neither the
// anchors' length nor the classes of bytes below can make a result wrong.
type automaton struct {
	phrases []phrase
	next    []uint32 // row of a state + class of a byte: the next row, with hitBit
	hits    []int32  // state: where its list of phrases starts in lists; -1 for none
	lists   []int32  // phrase numbers; each list ends with -1
}

const (
	// anchorLen is the length of an anchor. Eight bytes make the anchors of
	// nearly all phrases differ, and the table stay within a second-level cache.
	anchorLen = 8
	// classes is the number of byte classes, a power of two so that a row's
	// number is also its place: 26 letters, the space, the digits, 5 groups of
	// punctuation and 31 groups of the bytes of other scripts.
	classes = 64
	// hitBit marks a row that ends at least one anchor.
	hitBit = 1 << 31
)

// classOf maps a byte to its class.
var classOf = func() (t [256]uint8) {
	for i := range t {
		b := lower[i]
		switch {
		case b >= 'a' && b <= 'z':
			t[i] = 1 + b - 'a'
		case b == ' ':
			t[i] = 27
		case digit(b):
			t[i] = 28
		case b < 0x80:
			t[i] = 29 + b%4
		default:
			t[i] = 33 + b%31
		}
	}
	return t
}()

// newAutomaton builds the machine for phrases and chooses their anchors.
func newAutomaton(phrases []phrase) *automaton {
	a := &automaton{phrases: phrases}
	chooseAnchors(phrases)
	trie := [][classes]int32{{}}
	out := [][]int32{nil}
	for n := range phrases {
		p := &phrases[n]
		state := int32(0)
		for _, b := range p.segs[p.anchorSeg].lit[p.anchorFrom:p.anchorTo] {
			c := classOf[b]
			if trie[state][c] == 0 {
				trie = append(trie, [classes]int32{})
				out = append(out, nil)
				trie[state][c] = int32(len(trie) - 1)
			}
			state = trie[state][c]
		}
		out[state] = append(out[state], int32(n))
	}
	order := closeTrie(trie, out)
	a.layOut(trie, out, order)
	return a
}

// closeTrie turns the trie into a complete machine, in the order of its
// breadth, which it returns; states that are often visited come first.
func closeTrie(trie [][classes]int32, out [][]int32) []int32 {
	fail := make([]int32, len(trie))
	order := make([]int32, 1, len(trie))
	for head := 0; head < len(order); head++ {
		s := order[head]
		for c := range classes {
			t := trie[s][c]
			switch {
			case t != 0:
				order = append(order, t)
				if s != 0 {
					fail[t] = trie[fail[s]][c]
				}
				out[t] = append(out[t], out[fail[t]]...)
			case s != 0:
				trie[s][c] = trie[fail[s]][c]
			}
		}
	}
	return order
}

// layOut writes the machine as tables, its states in the given order.
func (a *automaton) layOut(trie [][classes]int32, out [][]int32, order []int32) {
	place := make([]uint32, len(trie))
	for i, s := range order {
		place[s] = uint32(i) * classes
	}
	a.next = make([]uint32, len(trie)*classes)
	a.hits = make([]int32, len(trie))
	for i, s := range order {
		for c := range classes {
			t := trie[s][c]
			to := place[t]
			if len(out[t]) > 0 {
				to |= hitBit
			}
			a.next[i*classes+c] = to
		}
		a.hits[i] = -1
		if len(out[s]) > 0 {
			a.hits[i] = int32(len(a.lists))
			a.lists = append(append(a.lists, out[s]...), -1)
		}
	}
}

// chooseAnchors gives each phrase the window of its longest literal that the
// fewest others share, so that a frequent word is rarely an anchor.
func chooseAnchors(phrases []phrase) {
	shared := map[string]int{}
	for i := range phrases {
		windows(&phrases[i], func(w string, _ int) { shared[w]++ })
	}
	for i := range phrases {
		p := &phrases[i]
		best := int(^uint(0) >> 1)
		windows(p, func(w string, at int) {
			if shared[w] < best {
				best = shared[w]
				p.anchorFrom, p.anchorTo = at, at+len(w)
			}
		})
	}
}

// windows calls f with each possible anchor of p, in small letters.
func windows(p *phrase, f func(w string, at int)) {
	lit := p.segs[p.anchorSeg].lit
	n := min(anchorLen, len(lit))
	folded := make([]byte, len(lit))
	for i, b := range lit {
		folded[i] = lower[b]
	}
	for at := 0; at+n <= len(lit); at++ {
		f(string(folded[at:at+n]), at)
	}
}

// find calls found for each phrase that stands in text, in the order of their
// anchors' ends.
func (a *automaton) find(text []byte, found func(phrase int32, from, to int)) {
	row := uint32(0)
	for i, b := range text {
		row = a.next[row&^hitBit+uint32(classOf[b])]
		if row&hitBit == 0 {
			continue
		}
		for l := a.hits[row&^hitBit/classes]; a.lists[l] >= 0; l++ {
			n := a.lists[l]
			if from, to, ok := a.phrases[n].match(text, i+1); ok {
				found(n, from, to)
			}
		}
	}
}
