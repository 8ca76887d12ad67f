package classify

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A key is what stands wherever a phrase does.
type key struct {
	hash uint64
	at   int16 // where the key stands in the anchor segment
	kind keyKind
}

// A keyKind says of what a key is made and where it stands: at the start of a word, but for
// wordStop. Of two as rare the later one is taken.
type keyKind uint8

const (
	wholeWord keyKind = iota
	wordTied          // a word and the tiedSize bytes right behind it
	wordPair          // a word and the word before it
	wordStart         // the first edgeSize bytes of a word; signs behind a shorter one belong to them
	wordStop          // the last bytes of a word and the one behind it, together edgeSize
	longEnd           // the last tailSize bytes of a literal without any of these, see [endings]
	shortEnd          // the same of a shorter one: the last three
	kinds
)

const (
	edgeSize = 4
	stopSize = edgeSize - 1 // of a word
	tiedSize = 2
)

// keys appends to list each key that p could be filed under: those of words of its anchor
// segment that are whole wherever the phrase stands, or if there is none, where
// words start or stop there.
func (p *phrase) keys(list []key, s *search) []key {
	lit := p.segs[p.anchorSeg].lit
	s.set(lit)
	first, before := len(list), uint64(0)
	for _, w := range s.words {
		if starts, stops := p.borders(w); !starts || !stops {
			before = 0
			continue
		}
		at := int16(w.at)
		list = append(list, key{w.hash, at, wholeWord})
		if before != 0 {
			list = append(list, key{pairHash(before, w.hash), at, wordPair})
		}
		if int(w.end)+tiedSize <= len(lit) {
			list = append(list, key{tiedHash(w.hash, binary.LittleEndian.Uint64(s.padded[room+w.end:])), at, wordTied})
		}
		before = w.hash
	}
	if len(list) > first {
		return list
	}
	for _, w := range s.words {
		from, stop := int(w.at), int(w.end)-stopSize
		if starts, _ := p.borders(w); starts && from+edgeSize <= len(lit) {
			list = append(list, key{edgeHash(binary.LittleEndian.Uint32(s.padded[room+from:])), int16(from), wordStart})
		}
		if stop >= 0 && stop+edgeSize <= len(lit) {
			list = append(list, key{edgeHash(binary.LittleEndian.Uint32(s.padded[room+stop:])), int16(stop), wordStop})
		}
	}
	return list
}

// borders says whether a word starts, and one stops, where w does in the anchor segment,
// wherever p stands.
func (p *phrase) borders(w placed) (starts, stops bool) {
	lit := p.segs[p.anchorSeg].lit
	ascii := lit[w.at] < utf8.RuneSelf
	return !ascii || w.at > 0 || !p.startsInside(), !ascii || int(w.end) < len(lit) || p.closedR()
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

// tiedHash returns the hash of a word and the first tiedSize bytes behind it.
func tiedHash(word, behind uint64) uint64 { return (word ^ uint64(uint16(behind))) * hashFactor }

// edgeHash returns the hash of the edgeSize bytes of edge.
func edgeHash(edge uint32) uint64 { return uint64(edge) * hashFactor }

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
	seen    uint64 // the whole words of the segments but the anchor, see seenWord
	sign    byte   // one that stands before the anchor, 0 if there is none
	numberL bool   // a number stands right before it
	numberR bool   // a number stands right behind it
}

// needs returns that of p.
func (p *phrase) needs(s *search) (n need) {
	last := len(p.segs) - 1
	n.numberL = p.segs[p.anchorSeg].gap.number()
	n.numberR = p.anchorSeg < last && p.segs[p.anchorSeg+1].gap.number()
	for i := range p.segs {
		if i == p.anchorSeg {
			continue
		}
		seg := &p.segs[i]
		wholeL := i == 0 && !p.openL || i > p.anchorSeg && seg.edge
		wholeR := i == last && !p.openR || i < p.anchorSeg && p.segs[i+1].edge
		s.set(seg.lit)
		for _, w := range s.words {
			size, at := wordLen(seg.lit[w.at:]), int(w.at)
			if size == 0 || (at > 0 || wholeL) && (at+size < len(seg.lit) || wholeR) {
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
