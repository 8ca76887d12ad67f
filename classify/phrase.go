package classify

import (
	"bytes"
	"errors"
	"strings"
)

// A phrase is a compiled line of a rule's phrases, with, unless or codes.
//
// Letters match in either case, a space matches any white space, and both ends
// must stand at the border of a word. The signs that are not literal:
//
//	=abc     at the start: the case of letters matters
//	abc*     at an end: the border of a word is not wanted there
//	a # b    a number, with its points and commas
//	a * b    at most shortGap bytes of the same line, between whole words
//	a ** b   at most longGap bytes, lines included, between whole words
//	'*'      without spaces: as the first, between any bytes
type phrase struct {
	segs       []segment
	exact      bool // the case of letters matters
	openL      bool // the left end may touch a word
	openR      bool // the right end may touch a word
	anchorSeg  int  // the segment that the automaton looks for
	anchorFrom int  // where in that segment the anchor starts
	anchorTo   int  // and where it ends
}

// A segment is a literal and the gap before it.
type segment struct {
	gap  gap
	edge bool   // the gap stands between whole words
	lit  []byte // in small letters unless the phrase is exact
}

type gap uint8

const (
	noGap gap = iota
	numberGap
	shortGapKind
	longGapKind
)

const (
	// shortGap is the most bytes of "*": a quoted name or path. 120 bytes hold
	// 99 of 100 of the paths seen in messages.
	shortGap = 120
	// longGap is the most bytes of "**": from an error's first line to its
	// cause a few lines below.
	longGap = 400
	// minLiteral is the shortest literal that can start a search: "^C". One byte
	// of ASCII would be found in every message.
	minLiteral = 2
	// maxPhrase bounds a phrase of a user's rule; the longest built-in one has
	// under 120 bytes.
	maxPhrase = 400
)

var (
	errPhraseShort = errors.New("phrase needs a literal part of at least 2 bytes")
	errPhraseLong  = errors.New("phrase is longer than 400 bytes")
)

// parsePhrase compiles s.
func parsePhrase(s string) (phrase, error) {
	var p phrase
	if len(s) > maxPhrase {
		return p, errPhraseLong
	}
	s, p.exact = strings.CutPrefix(s, "=")
	s, p.openL = strings.CutPrefix(s, "*")
	s, p.openR = strings.CutSuffix(s, "*")
	next, edge := noGap, false
	for s != "" {
		cut, g, n := nextGap(s)
		lit := s[:cut]
		if lit != "" {
			b := fold([]byte{'x'}, lit)[1:] // behind a letter, so that a leading space stays
			if !p.exact {
				for i := range b {
					b[i] = lower[b[i]]
				}
			}
			p.segs = append(p.segs, segment{next, edge, b})
			next = noGap
		}
		if g != noGap {
			next, edge = g, n > 2
		}
		s = s[cut+n:]
	}
	for i, seg := range p.segs {
		if len(seg.lit) > len(p.segs[p.anchorSeg].lit) {
			p.anchorSeg = i
		}
	}
	if len(p.segs) == 0 || len(p.segs[p.anchorSeg].lit) < minLiteral {
		return p, errPhraseShort
	}
	if next == numberGap { // a trailing number is an empty segment behind it
		p.segs = append(p.segs, segment{gap: next})
	}
	if p.segs[0].gap == numberGap { // and a leading one behind an empty segment
		p.segs = append([]segment{{}}, p.segs...)
		p.anchorSeg++
	}
	return p, nil
}

// nextGap finds the first gap sign of s: where it starts, what it is, and how
// long it is with the spaces around a "*".
func nextGap(s string) (at int, g gap, n int) {
	for i := range len(s) {
		switch {
		case s[i] == '#':
			return i, numberGap, 1
		case strings.HasPrefix(s[i:], " ** "):
			return i, longGapKind, 4
		case strings.HasPrefix(s[i:], " * "):
			return i, shortGapKind, 3
		case s[i] == '*':
			return i, shortGapKind, 1
		}
	}
	return len(s), noGap, 0
}

// match says where p stands in text, given that its anchor ends at end.
func (p *phrase) match(text []byte, end int) (from, to int, ok bool) {
	seg := p.segs[p.anchorSeg].lit
	from = end - p.anchorTo
	to = from + len(seg)
	if from < 0 || to > len(text) || !p.equal(text[from:to], seg) {
		return 0, 0, false
	}
	for i := p.anchorSeg; i > 0; i-- {
		if from = p.before(text, from, i); from < 0 {
			return 0, 0, false
		}
	}
	for i := p.anchorSeg + 1; i < len(p.segs); i++ {
		if to = p.after(text, to, i); to < 0 {
			return 0, 0, false
		}
	}
	if !p.openL && from > 0 && word[text[from]] && word[text[from-1]] {
		return 0, 0, false
	}
	if !p.openR && to < len(text) && word[text[to-1]] && !wordEnd(text, to) {
		return 0, 0, false
	}
	return from, to, true
}

// wordEnd says whether a word that ends at text[to] is complete: not a part of
// a longer word, nor the stem of a file name such as timeout.py.
func wordEnd(text []byte, to int) bool {
	if word[text[to]] {
		return false
	}
	if text[to] != '.' || to+2 >= len(text) {
		return true
	}
	return !(text[to+1] >= 'a' && text[to+1] <= 'z' && text[to+2] >= 'a' && text[to+2] <= 'z')
}

func (p *phrase) equal(text, lit []byte) bool {
	if p.exact {
		return bytes.Equal(text, lit)
	}
	for i, b := range lit {
		if lower[text[i]] != b {
			return false
		}
	}
	return true
}

// before finds segment i-1, which stands before the gap of segment i that
// starts at text[at], and returns where it starts, or -1.
func (p *phrase) before(text []byte, at, i int) int {
	lit := p.segs[i-1].lit
	if p.segs[i].gap == numberGap {
		n := numberBefore(text[:at])
		if n == 0 || at-n-len(lit) < 0 || !p.equal(text[at-n-len(lit):at-n], lit) {
			return -1
		}
		return at - n - len(lit)
	}
	limit, lines := gapLimit(p.segs[i].gap)
	for from := at - len(lit); from >= 0 && at-from-len(lit) <= limit; from-- {
		if p.equal(text[from:from+len(lit)], lit) && (!p.segs[i].edge || border(text, from+len(lit))) {
			return from
		}
		if !lines && text[from+len(lit)-1] == '\n' {
			return -1
		}
	}
	return -1
}

// after finds segment i behind its gap at text[at:] and returns where it ends,
// or -1.
func (p *phrase) after(text []byte, at, i int) int {
	lit := p.segs[i].lit
	if p.segs[i].gap == numberGap {
		n := numberAfter(text[at:])
		if n == 0 || at+n+len(lit) > len(text) || !p.equal(text[at+n:at+n+len(lit)], lit) {
			return -1
		}
		return at + n + len(lit)
	}
	limit, lines := gapLimit(p.segs[i].gap)
	for from := at; from+len(lit) <= len(text) && from-at <= limit; from++ {
		if p.equal(text[from:from+len(lit)], lit) && (!p.segs[i].edge || border(text, from)) {
			return from + len(lit)
		}
		if !lines && text[from] == '\n' {
			return -1
		}
	}
	return -1
}

// border says whether a word ends or begins at text[at].
func border(text []byte, at int) bool {
	return at == 0 || at == len(text) || !word[text[at-1]] || !word[text[at]]
}

func gapLimit(g gap) (limit int, lines bool) {
	if g == longGapKind {
		return longGap, true
	}
	return shortGap, false
}

// numberAfter returns the length of the number at the start of text.
func numberAfter(text []byte) int {
	n := 0
	for n < len(text) && (digit(text[n]) || n > 0 && numberPoint(text[n])) {
		n++
	}
	for n > 0 && !digit(text[n-1]) {
		n--
	}
	return n
}

// numberBefore returns the length of the number at the end of text.
func numberBefore(text []byte) int {
	n := 0
	for n < len(text) {
		b := text[len(text)-1-n]
		if !digit(b) && (n == 0 || !numberPoint(b)) {
			break
		}
		n++
	}
	for n > 0 && !digit(text[len(text)-n]) {
		n--
	}
	return n
}

func digit(b byte) bool       { return b >= '0' && b <= '9' }
func numberPoint(b byte) bool { return b == '.' || b == ',' || b == '_' }
