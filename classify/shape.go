package classify

import (
	"encoding/binary"
	"math/bits"
)

// numbers are those that rules tell from others. The shape of a text is the text
// with all other numbers and identifiers masked: two texts of one shape get the
// same tag, so what was decided about the one serves for the other, see [memo].
//
// A digit, and a letter of an identifier, is masked by a byte that no plain form
// has, and keeps its place, so what looks at places, lengths and classes of bytes
// sees no difference. What looks at the number itself is known in advance where it
// can be: the numbers in phrases and codes, and those of three digits that the
// vocabulary knows; so are the words that a phrase may find in an identifier. To
// patterns all identifiers are alike. The rest says so by scratch.byValue while it
// judges a text.
type numbers struct {
	words   *[1000]bool // numbers of three digits that words know
	tellers *tellers    // of identifiers
	// read marks them by their value modulo its bits, which hold every port and most
	// ids apart. A number that is like a marked one only makes a shape of its own.
	read [1 << 16 / 64]uint64
	// starts and ends mark numbers of which phrases hold only the start or the end:
	// a bit for each first or last digit, by the byte before or behind the number.
	starts, ends [256]uint16
	parts        []numberPart // those phrases
	within       bool         // a phrase may stand within any number
}

// A numberPart is a literal that starts with the end of a number, or ends with the start
// of one.
type numberPart struct {
	literal []byte // in small letters
	digits  int    // how many of it are of the number
	atEnd   bool   // they are its last ones
}

// masked stands in a shape for a digit; an [identity] does for each byte of an identifier, at
// odd places with oddPlace added. lastMask is the last of these bytes.
const (
	masked   = 0
	oddPlace = byte(isID)
	lastMask = byte(isID) + oddPlace
)

// plainByte returns what the byte b of a shape is to patterns: each number is 7s, and each
// identifier letters and digits by turns.
func plainByte(b byte) byte {
	switch {
	case b == masked:
		return '7'
	case b <= oddPlace:
		return '0'
	case b <= lastMask:
		return 'a'
	}
	return b
}

// newNumbers returns the numbers that phrases, codes and words hold.
func newNumbers(phrases []phrase, codes *codeTable, words *vocabulary) *numbers {
	n := &numbers{words: &words.numbers, tellers: newTellers(phrases)}
	for i := range phrases {
		n.addPhrase(&phrases[i])
	}
	for status, rule := range codes.http {
		if rule >= 0 {
			n.mark(status)
		}
	}
	for code, rule := range codes.exit {
		if rule >= 0 {
			n.mark(code)
		}
	}
	return n
}

// addPhrase marks the numbers of p.
func (n *numbers) addPhrase(p *phrase) {
	for i := range p.segs {
		seg := &p.segs[i]
		for at := 0; at < len(seg.lit); at++ {
			to, value := numberEnd(seg.lit, at)
			if to == at {
				continue
			}
			openL := at == 0 && (i > 0 || p.openL) && !(seg.edge && i >= p.anchorSeg)
			openR := to == len(seg.lit) && (i < len(p.segs)-1 || p.openR)
			switch {
			case openL && openR:
				n.within = true
			case openR:
				markDigit(&n.starts, seg.lit[max(0, at-1):at], 1<<(seg.lit[at]-'0'))
				n.parts = append(n.parts, numberPart{small(seg.lit), to - at, true})
			case openL:
				markDigit(&n.ends, seg.lit[to:min(len(seg.lit), to+1)], 1<<(seg.lit[to-1]-'0'))
				n.parts = append(n.parts, numberPart{small(seg.lit), to - at, false})
			default:
				n.mark(value)
			}
			at = to
		}
	}
}

func (n *numbers) mark(value int) { n.read[value/64%len(n.read)] |= 1 << (value % 64) }
func (n *numbers) marked(value int) bool {
	return n.read[value/64%len(n.read)]>>(value%64)&1 != 0
}

// markDigit marks digit beside a byte of neighbour, or beside any if it is empty.
func markDigit(marks *[256]uint16, neighbour []byte, digit uint16) {
	for b := range marks {
		if len(neighbour) == 0 || lower[neighbour[0]] == lower[b] {
			marks[b] |= digit
		}
	}
}

// numberEnd returns where the digits at text[at:] end, and the last 32 bits of their
// value.
func numberEnd(text []byte, at int) (to, value int) {
	for to = at; to < len(text) && digit(text[to]); to++ {
		value = (value*10 + int(text[to]-'0')) & (1<<32 - 1)
	}
	return to, value
}

// tells says whether a rule or the words may tell the number
// text[at:to] from others. A rule may want one above 0, and 0x is hexadecimal.
func (n *numbers) tells(text []byte, at, to, value int) bool {
	return n.within || text[at] == '0' && zero(text[at:to]) || n.marked(value) || to-at == 3 && n.words[value] ||
		(at == 0 || n.starts[text[at-1]]>>(text[at]-'0')&1 != 0 || to == len(text) || n.ends[text[to]]>>(text[to-1]-'0')&1 != 0) && n.hasPart(text, at, to)
}

// hasPart says whether a phrase may hold a part of the number text[at:to].
func (n *numbers) hasPart(text []byte, at, to int) bool {
	for i := range n.parts {
		p := &n.parts[i]
		from := to - p.digits
		if p.atEnd {
			from = at + p.digits - len(p.literal)
		}
		if from >= 0 && from+len(p.literal) <= len(text) && sameLetters(text[from:][:len(p.literal)], p.literal) {
			return true
		}
	}
	return false
}

// sameLetters says whether text in small letters is small.
func sameLetters(text, small []byte) bool {
	for i, b := range text {
		if lower[b] != small[i] {
			return false
		}
	}
	return true
}

// shape returns that of text, in dst.
func (n *numbers) shape(dst, text []byte) []byte {
	dst = append(append(dst[:0], text...), 0, 0, 0, 0, 0, 0, 0, 0) // so that eight can be read at once
	plain := 0                                                     // where the last word ends that is no identifier
	for at := 0; at < len(text); at++ {
		x := binary.LittleEndian.Uint64(dst[at:])
		found := within(x&^highests, '0', '9') &^ x
		if found == 0 {
			at += 7
			continue
		}
		at += bits.TrailingZeros64(found) / 8
		if at >= plain && inWord(text, at) {
			from, to, id := identifierAt(text, plain, at)
			if plain = to; id != noIdentity {
				n.maskIdentifier(dst, text, from, to, id)
				at = to
				continue
			}
		}
		at = n.maskNumber(dst, text, at)
	}
	return dst[:len(text)]
}

// inWord says whether the number at text[at] is a part of a longer word.
func inWord(text []byte, at int) bool {
	if at > 0 && (counts[text[at-1]] != 0 || text[at-1] == '-') {
		return true
	}
	to, _ := numberEnd(text, at)
	return to < len(text) && (counts[text[to]] != 0 || text[to] == '-')
}

// maskNumber masks in dst the number at text[at] if nothing tells it from others,
// and returns where it ends.
func (n *numbers) maskNumber(dst, text []byte, at int) int {
	to, value := numberEnd(text, at)
	if !n.tells(text, at, to, value) {
		clear(dst[at:to])
	}
	return to
}

// maskIdentifier masks in dst the identifier text[from:to]: each part of it that is
// both letters and digits as a whole, of others the numbers. A part that could be of
// a time of day is left, as is one that rules may tell from others.
func (n *numbers) maskIdentifier(dst, text []byte, from, to int, id identity) {
	for at := from; at < to; at++ {
		end, digits, letters := at, false, false
		for ; end < to && text[end] != '-'; end++ {
			digits = digits || digit(text[end])
			letters = letters || marks[text[end]]&untimely != 0
		}
		if !digits || !letters || n.tellers.tell(text, at, end) {
			for ; at < end; at++ {
				if digit(text[at]) {
					at = n.maskNumber(dst, text, at)
				}
			}
		}
		for ; at < end; at++ {
			dst[at] = byte(id) + byte(at%2)*oddPlace
		}
		at = end
	}
}
