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
//	a # b    a number, with its points and commas; ## is one above 0
//	a * b    at most shortGap bytes of the same line, between whole words
//	a ** b   at most longGap bytes, lines included, between whole words
//	'*'      without spaces: as the first, between any bytes
type phrase struct {
	segs      []segment
	exact     bool // the case of letters matters
	openL     bool // the left end may touch a word
	openR     bool // the right end may touch a word
	anchorSeg int  // the longest segment, which the finder looks for
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
	countGap // a number above 0
	shortGapKind
	longGapKind
)

func (g gap) number() bool { return g == numberGap || g == countGap }

const (
	// shortGap is the most bytes of "*": a quoted name or path. 120 bytes hold
	// 99 of 100 of the paths seen in messages.
	shortGap = 120
	// longGap is the most bytes of "**": from an error's first line to its
	// cause a few lines below.
	longGap = 400
	// minLiteral is the shortest literal that can start a search. Two bytes of
	// ASCII would be found in nearly every message.
	minLiteral = 3
	// maxPhrase bounds a phrase of a user's rule; the longest built-in one has
	// under 120 bytes.
	maxPhrase = 400
)

var (
	errPhraseShort = errors.New("phrase needs a literal part of at least 3 bytes")
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
	if next.number() { // a trailing number is an empty segment behind it
		p.segs = append(p.segs, segment{gap: next})
	}
	if p.segs[0].gap.number() { // and a leading one behind an empty segment
		p.segs = append([]segment{{}}, p.segs...)
		p.anchorSeg++
	}
	return p, nil
}

// nextGap finds the first gap sign of s: where it starts, what it is, and how
// long it is with the spaces around a "*".
func nextGap(s string) (at int, g gap, n int) {
	for i := range len(s) {
		switch s[i] {
		case '#':
			if strings.HasPrefix(s[i:], "##") {
				return i, countGap, 2
			}
			return i, numberGap, 1
		case '*':
			return i, shortGapKind, 1
		case ' ':
			if strings.HasPrefix(s[i:], " ** ") {
				return i, longGapKind, 4
			}
			if strings.HasPrefix(s[i:], " * ") {
				return i, shortGapKind, 3
			}
		}
	}
	return len(s), noGap, 0
}

// stretch says where p, whose anchor segment stands at text[from:to], stands
// as a whole. low is text in small letters.
func (p *phrase) stretch(text, low []byte, from, to int) (int, int, bool) {
	if p.exact {
		low = text
	}
	low = low[:len(text)]
	for i := p.anchorSeg; i > 0; i-- {
		if from = p.before(text, low, from, i); from < 0 {
			return 0, 0, false
		}
	}
	for i := p.anchorSeg + 1; i < len(p.segs); i++ {
		if to = p.after(text, low, to, i); to < 0 {
			return 0, 0, false
		}
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

// before finds segment i-1, which stands before the gap of segment i that
// starts at text[at], and returns where it starts, or -1.
func (p *phrase) before(text, low []byte, at, i int) int {
	lit, seg := p.segs[i-1].lit, &p.segs[i]
	if seg.gap.number() {
		n := numberBefore(text[:at])
		from := at - n - len(lit)
		if n == 0 || from < 0 || !bytes.Equal(low[from:at-n], lit) || seg.gap == countGap && zero(text[at-n:at]) {
			return -1
		}
		return from
	}
	limit, lines := gapLimit(seg.gap)
	start := max(0, at-limit-len(lit))
	if !bytes.Contains(low[start:at], lit) { // quick, and mostly so
		return -1
	}
	if !lines {
		start += bytes.LastIndexByte(text[start:at], '\n') + 1
	}
	for end := at; ; {
		from := bytes.LastIndex(low[start:end], lit)
		if from < 0 {
			return -1
		}
		from += start
		if (!seg.edge || border(text, from+len(lit))) && (i > 1 || p.openL || border(text, from)) {
			return from
		}
		end = from + len(lit) - 1
	}
}

// after finds segment i behind its gap at text[at:] and returns where it ends,
// or -1.
func (p *phrase) after(text, low []byte, at, i int) int {
	seg := &p.segs[i]
	lit := seg.lit
	if seg.gap.number() {
		n := numberAfter(text[at:])
		to := at + n + len(lit)
		if n == 0 || to > len(text) || !bytes.Equal(low[at+n:to], lit) || seg.gap == countGap && zero(text[at:at+n]) {
			return -1
		}
		return to
	}
	limit, lines := gapLimit(seg.gap)
	stop := min(len(text), at+limit+len(lit))
	if !lines {
		if n := bytes.IndexByte(text[at:stop], '\n'); n >= 0 {
			stop = at + n
		}
	}
	for from := at; ; from++ {
		n := bytes.Index(low[from:stop], lit)
		if n < 0 {
			return -1
		}
		from += n
		if (!seg.edge || border(text, from)) && (i+1 < len(p.segs) || p.openR || p.closes(text, from+len(lit))) {
			return from + len(lit)
		}
	}
}

// closes says whether p may end at text[to:], where no longer word goes on.
func (p *phrase) closes(text []byte, to int) bool {
	return to == len(text) || !word[text[to-1]] || wordEnd(text, to)
}

// zero says whether a number has no digit but 0.
func zero(number []byte) bool {
	for _, b := range number {
		if b >= '1' && b <= '9' {
			return false
		}
	}
	return true
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
