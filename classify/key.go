package classify

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A key is a word of a phrase, or a pair.
type key struct {
	hash uint64
	at   int // where the word starts in the anchor segment, of a pair the second
	pair int // 1 for a pair
}

// keys calls f for each key that p could be filed under: the words of its anchor
// segment that are whole wherever the phrase stands, and their pairs.
func (p *phrase) keys(s *scratch, f func(key)) {
	lit := p.segs[p.anchorSeg].lit
	low := s.small(lit)[room:]
	var before uint64
	for at := 0; at < len(lit); {
		hash, size := firstWord(binary.LittleEndian.Uint64(low[at:]), low[at:])
		if size == 0 {
			at++
			continue
		}
		if ascii := lit[at] < utf8.RuneSelf; ascii && (at == 0 && p.startsInside() || at+size == len(lit) && !p.closedR()) {
			before = 0
		} else {
			if before != 0 {
				f(key{pairHash(before, hash), at, 1})
			}
			f(key{hash, at, 0})
			before = hash
		}
		at += size
	}
}

// firstWord returns the hash and the length of the word that starts low, whose first
// eight bytes are x; the hash of a long word is that of its first and last eight bytes. The
// length is 0 if no word starts there. Behind low must be room.
func firstWord(x uint64, low []byte) (hash uint64, size int) {
	if b := byte(x); b >= utf8.RuneSelf {
		size = bits.LeadingZeros8(^b)
	} else {
		size = wordBytes(x)
	}
	if size < 8 {
		return x << ((64 - 8*size) & 63) * hashFactor, size
	}
	for n := size; n == 8; size += n {
		n = wordBytes(binary.LittleEndian.Uint64(low[size:]))
	}
	last := binary.LittleEndian.Uint64(low[size-8:])
	return (x ^ bits.RotateLeft64(last*hashFactor, 32)) * hashFactor, size
}

// wordBytes returns how many of the bytes of x are of a word, up to the first that
// is not.
func wordBytes(x uint64) int {
	ascii := x &^ highests
	inside := (within(ascii, 'a', 'z') | within(ascii, '0', '9') | within(ascii, '_', '_')) &^ x
	return bits.TrailingZeros64(^inside&highests) / 8
}

// pairHash returns the hash of two words that follow one another.
func pairHash(first, second uint64) uint64 {
	return (bits.RotateLeft64(first, 32) ^ second) * hashFactor
}

// A part says which bytes a phrase without a whole word is filed under.
type part uint64

const (
	atStart    part = iota // four where a word or a sign starts
	shortStart             // three there
	atEnd                  // the last four of a word
	overEnd                // the last three of a word, and the byte behind it
	inside                 // three anywhere in a word
)

// hash returns the hash of x, whose first bytes are such a part.
func (p part) hash(x uint64) uint64 {
	if p == shortStart || p == inside {
		x <<= 8
	}
	return (x<<32 | uint64(p)) * hashFactor
}

// setPart files p, which has no whole word, as e under a part of its anchor segment,
// which is low.
func (f *finder) setPart(p *phrase, e *keyedPhrase, low []byte) {
	_, word := firstWord(binary.LittleEndian.Uint64(low), low)
	size, start := int(e.size), 0
	if p.startsInside() && word+3 < size {
		start = word + 1 // where at least another word starts
	}
	kind, at := inside, 0
	switch {
	case word > 2 && word < size && p.startsInside():
		kind, at = overEnd, word-3
	case word > 3 && word == size && p.closedR():
		kind, at = atEnd, word-4
	case start == 0 && p.startsInside():
		f.least = min(f.least, word)
	case size-start > 3:
		kind, at = atStart, start
	default:
		kind, at = shortStart, start
	}
	if kind <= shortStart {
		f.starts[low[at]] |= 1 << kind
	}
	e.hash, e.offset = uint32(kind.hash(binary.LittleEndian.Uint64(low[at:]))>>32), uint16(at)
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

// needs returns 0 if the anchor segment of p is all of it, else the number of a word or
// sign that stands before the anchor segment, or anything if there is none.
func (p *phrase) needs(s *scratch) uint8 {
	if len(p.segs) == 1 {
		return 0
	}
	for i := range p.segs[:p.anchorSeg] {
		seg := &p.segs[i]
		wholeL := i == 0 && !p.openL
		low := s.small(seg.lit)[room:]
		for at := 0; at < len(seg.lit); {
			hash, size := firstWord(binary.LittleEndian.Uint64(low[at:]), low[at:])
			switch {
			case size == 0 && low[at] != ' ':
				return seenSign(low[at])
			case size > 0 && (at > 0 || wholeL) && (at+size < len(seg.lit) || p.segs[i+1].edge):
				return seenWord(hash)
			}
			at += max(size, 1)
		}
	}
	return anything
}

// anything is no number of a word or sign.
const anything = 64

// seenWord and seenSign return the number, above 0 and below anything, by which a text
// that was read so far is known to hold a word or a sign, or another one of that number.
func seenWord(hash uint64) uint8 { return uint8(hash>>58) | 1 }
func seenSign(b byte) uint8      { return b&31<<1 | 2 }
