package classify

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A key is a word of a phrase, or a pair.
type key struct {
	hash  uint64
	at    int16 // where the word starts in the anchor segment, of a pair the second
	whole ends  // isWhole for a pair
}

// keys appends to list each key that p could be filed under: the words of its anchor
// segment that are whole wherever the phrase stands, and their pairs.
func (p *phrase) keys(list []key, s *search) []key {
	lit := p.segs[p.anchorSeg].lit
	s.set(lit)
	var before uint64
	for _, w := range s.words {
		if ascii := lit[w.at] < utf8.RuneSelf; ascii && (w.at == 0 && p.startsInside() || w.at+wordLen(lit[w.at:]) == len(lit) && !p.closedR()) {
			before = 0
			continue
		}
		if before != 0 {
			list = append(list, key{pairHash(before, w.hash), int16(w.at), isWhole})
		}
		list = append(list, key{w.hash, int16(w.at), 0})
		before = w.hash
	}
	return list
}

// wordLen returns the length of the run of letters, digits and '_' that text starts with.
func wordLen(text []byte) int {
	n := 0
	for n < len(text) && word[text[n]] {
		n++
	}
	return n
}

// wordHash returns the hash of the word low[:size] in small letters, behind which is
// room; that of a long word is that of its first and last eight bytes.
func wordHash(low []byte, size int) uint64 {
	x := binary.LittleEndian.Uint64(low)
	if size < 8 {
		return x << ((64 - 8*size) & 63) * hashFactor
	}
	last := binary.LittleEndian.Uint64(low[size-8:])
	return (x ^ bits.RotateLeft64(last*hashFactor, 32)) * hashFactor
}

// pairHash returns the hash of two words that follow one another.
func pairHash(first, second uint64) uint64 {
	return (bits.RotateLeft64(first, 32) ^ second) * hashFactor
}

// closedR says whether a word of the anchor segment that stands at its right end
// is whole.
func (p *phrase) closedR() bool { return !p.openR && p.anchorSeg == len(p.segs)-1 }

// startsInside says whether the anchor segment may start within a word.
func (p *phrase) startsInside() bool {
	seg := &p.segs[p.anchorSeg]
	if !word[seg.lit[0]] || seg.edge {
		return false
	}
	return p.anchorSeg > 0 || p.openL
}

// A need is what a text must hold where a phrase of more than one segment stands.
type need struct {
	seen uint64 // the whole words of the segments but the anchor, see seenWord
	sign byte   // one that stands before the anchor, 0 if there is none
}

// needs returns that of p.
func (p *phrase) needs(s *search) (n need) {
	last := len(p.segs) - 1
	for i := range p.segs {
		if i == p.anchorSeg {
			continue
		}
		seg := &p.segs[i]
		wholeL := i == 0 && !p.openL || i > p.anchorSeg && seg.edge
		wholeR := i == last && !p.openR || i < p.anchorSeg && p.segs[i+1].edge
		s.set(seg.lit)
		for _, w := range s.words {
			size := wordLen(seg.lit[w.at:])
			if size == 0 || (w.at > 0 || wholeL) && (w.at+size < len(seg.lit) || wholeR) {
				n.seen |= 1 << seenWord(w.hash)
			}
		}
		for _, b := range seg.lit {
			if i < p.anchorSeg && b < utf8.RuneSelf && b != ' ' && !word[b] {
				n.sign = b
			}
		}
	}
	return n
}

// seenWord returns the number by which a text is known to hold a word, or another one
// of that number.
func seenWord(hash uint64) uint64 { return hash >> 58 }
