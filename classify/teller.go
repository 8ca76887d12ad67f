package classify

// tellers know which identifiers rules may tell from others: those in which a
// word of a phrase, or of [failures], stands.
type tellers struct {
	// starts and inside mark the first two bytes of the words that may stand at
	// the start of an identifier, and behind that.
	starts, inside [1 << 16 / 64]uint64
	by             [256][]teller // by the first byte of the word
	digitLast      bool          // a phrase may start within the number that an identifier ends with
}

// A teller is a word in a literal.
type teller struct {
	head           uint64 // the literal from the word on, its first eight bytes
	mask           uint64 // those bits of head that are of the literal
	literal        []byte // in small letters
	from, to       int    // where the word stands in it
	openL, openR   bool   // other letters and digits may stand beside the word
	digitL, digitR bool   // a digit stands beside the word
}

// newTellers returns the tellers of phrases and failures.
func newTellers(phrases []phrase) *tellers {
	t := &tellers{}
	for i := range phrases {
		t.addPhrase(&phrases[i])
	}
	for _, f := range failures {
		t.addLiteral(teller{literal: []byte(f), openL: true, openR: true})
	}
	return t
}

// addPhrase adds the words of p.
func (t *tellers) addPhrase(p *phrase) {
	last := len(p.segs) - 1
	for i := range p.segs {
		seg := &p.segs[i]
		t.addLiteral(teller{
			literal: seg.lit,
			openL:   (i > 0 || p.openL) && !(seg.edge && i >= p.anchorSeg),
			openR:   i < last || p.openR,
			digitL:  seg.gap.number(),
			digitR:  i < last && p.segs[i+1].gap.number(),
		})
	}
	if p.openR && len(p.segs[last].lit) == 0 { // it ends within a number
		t.addDigits(p.segs[last-1].lit)
	}
	t.digitLast = t.digitLast || p.openL && len(p.segs[0].lit) == 0
}

// addLiteral adds the words of a literal that may stand in an identifier: those
// that are open at an end, and those of digits and letters. ends tells of the literal's.
func (t *tellers) addLiteral(ends teller) {
	lit := ends.literal
	for at := 0; at < len(lit); at++ {
		to, digits, letters := at, false, false
		for ; to < len(lit) && word[lit[to]]; to++ {
			digits = digits || digit(lit[to])
			letters = letters || !digit(lit[to])
		}
		if to == at {
			continue
		}
		w := teller{literal: lit, from: at, to: to,
			openL: at == 0 && ends.openL, openR: to == len(lit) && ends.openR,
			digitL: at == 0 && ends.digitL, digitR: to == len(lit) && ends.digitR}
		if digits && letters || w.openL || w.openR {
			t.add(lit[at], w)
		}
		at = to
	}
}

// addDigits adds the number behind a literal, of which a phrase sees the start.
func (t *tellers) addDigits(lit []byte) {
	for d := byte('0'); d <= '9'; d++ {
		t.add(d, teller{literal: lit, from: len(lit), to: len(lit), openR: true, digitR: true})
	}
}

// add adds w, which starts with first.
func (t *tellers) add(first byte, w teller) {
	w.literal = small(w.literal)
	for i, b := range w.literal[w.from:min(len(w.literal), w.from+8)] {
		w.head |= uint64(b) << (8 * i)
		w.mask |= 0xff << (8 * i)
	}
	t.by[lower[first]] = append(t.by[lower[first]], w)
	for second := range 256 { // where the word is that short, any may follow
		if w.from+1 < len(w.literal) && w.literal[w.from+1] != byte(second) {
			continue
		}
		pair := int(lower[first])<<8 | second
		if !w.digitL {
			t.starts[pair/64] |= 1 << (pair % 64)
		}
		if w.openL {
			t.inside[pair/64] |= 1 << (pair % 64)
		}
	}
}

// small returns literal in small letters.
func small(literal []byte) []byte {
	small := make([]byte, len(literal))
	for i, b := range literal {
		small[i] = lower[b]
	}
	return small
}

// tell says whether a rule may tell text[from:to], letters and digits between
// other bytes, from others of that length.
func (t *tellers) tell(text []byte, from, to int) bool {
	if t.digitLast && digit(text[to-1]) || pointed(text, from, to) {
		return true
	}
	marks := &t.starts
	for at := from; at < to; at++ {
		pair := int(lower[text[at]]) << 8
		if at+1 < len(text) {
			pair |= int(lower[text[at+1]])
		}
		if marks[pair/64]>>(pair%64)&1 != 0 {
			var head uint64
			for i, b := range text[at:min(len(text), at+8)] {
				head |= uint64(lower[b]) << (8 * i)
			}
			list := t.by[pair>>8]
			for i := range list {
				if w := &list[i]; (head^w.head)&w.mask == 0 && w.stands(text, from, to, at) {
					return true
				}
			}
		}
		marks = &t.inside
	}
	return false
}

// pointed says whether text[from:to] may be a part of a longer number, or of the
// name of a file.
func pointed(text []byte, from, to int) bool {
	if from > 0 && numberPoint(text[from-1]) {
		return true
	}
	for to < len(text) && numberPoint(text[to]) {
		to++
	}
	return to < len(text) && digit(text[to])
}

// stands says whether the literal of w stands in text so that w is text[at:], as a
// part of text[from:to].
func (w *teller) stands(text []byte, from, to, at int) bool {
	start, end := at-w.from, at+w.to-w.from
	switch {
	case start < 0, start+len(w.literal) > len(text), end > to,
		at > from && !w.openL, end < to && !w.openR,
		w.digitL && (at == from || !digit(text[at-1])),
		w.digitR && (end == to || !digit(text[end])):
		return false
	}
	return sameLetters(text[start:][:len(w.literal)], w.literal)
}
