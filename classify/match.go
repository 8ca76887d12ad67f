package classify

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A finder finds every phrase of a set in one pass over a text. Each phrase is
// known by its head: the first bytes of its longest literal. Where a word or a
// sign starts, the heads of the text there are hashed and looked up in bitmaps;
// only where a bit is set, the phrases with that head are compared in full. So
// neither the length of heads nor a collision of hashes can make a result
// wrong, and the time hardly depends on the number of phrases.
//
// An automaton of Aho and Corasick was tried first: for these phrases it has
// 30,000 states, and waits for the memory at each byte.
type finder struct {
	phrases  []phrase
	literals []byte // the anchor segments of all phrases, one behind the other
	long     headTable
	middle   headTable            // for literals shorter than longHead
	short    headTable            // for those shorter than middleHead
	inner    headTable            // for those that may start within a word
	pairs    [1 << 16 / 64]uint64 // bitmap of the first two bytes of those, looked up at each byte
	starts   [1 << 16 / 64]uint64 // bitmap of the first two bytes of the others
}

const (
	// The lengths of heads. Twelve bytes tell apart what starts with "failed to "
	// or "could not"; six are a word's stem or two ideographs; three are the
	// shortest literal that phrases may have, see minLiteral.
	longHead   = 12
	middleHead = 6
	shortHead  = minLiteral
	// spread is how many bits a bitmap has for each head: with 32 of them, one
	// look-up in 32 is in vain, and the bitmaps stay in a second-level cache.
	spread = 32
	// perBucket is how many hashes share a list of phrases, so that the places of
	// the lists take little memory; the bitmap has told them apart before.
	perBucket = spread
	// hashFactor is 2^64 over the golden ratio, of Fibonacci hashing.
	hashFactor = 0x9e3779b97f4a7c15
	// tailSize is how many of a literal's last bytes are compared first.
	tailSize = 8
	// room is how many bytes must be readable on either side of a text.
	room = 16
)

// A headTable maps heads to phrases.
type headTable struct {
	shift  uint8    // of a hash, to a bit number
	bitmap []uint64 // of the hashes in use
	starts []uint32 // hash / perBucket: where its phrases start in lists
	lists  []headPhrase
}

// A headPhrase is a phrase as the finder compares it: all in one place, since
// what costs is the way to the memory.
type headPhrase struct {
	tail    uint64 // the last bytes of the anchor segment, see tailOf
	hash    uint32 // the upper half of the head's hash
	literal uint32 // where the anchor segment starts in literals
	phrase  int32
	size    uint16 // length of the anchor segment
	whole   bool   // the tail is all of the anchor segment, in small letters
	short   uint8  // bits of a tail that a short segment does not fill
	exact   bool
	openL   bool
	openR   bool
	single  bool // the anchor segment is the whole phrase
	numberL bool // a number stands right before the anchor segment
	numberR bool // a number stands right behind it
}

// A hashedPhrase is a phrase on its way into a table.
type hashedPhrase struct {
	hash uint64
	headPhrase
}

// newFinder returns the finder for phrases.
func newFinder(phrases []phrase) *finder {
	f := &finder{phrases: phrases}
	var long, middle, short, inner []hashedPhrase
	for i := range phrases {
		p := &phrases[i]
		lit := p.segs[p.anchorSeg].lit
		head := make([]byte, room)
		for k := range min(len(lit), room) {
			head[k] = lower[lit[k]]
		}
		pair := binary.LittleEndian.Uint16(head)
		if !p.startsInside() {
			f.starts[pair/64] |= 1 << (pair % 64)
		}
		e := headPhrase{tail: tailOf(lit), literal: uint32(len(f.literals)), phrase: int32(i), size: uint16(len(lit)),
			exact: p.exact, openL: p.openL, openR: p.openR, single: len(p.segs) == 1}
		e.numberL = p.segs[p.anchorSeg].gap.number()
		e.numberR = p.anchorSeg+1 < len(p.segs) && p.segs[p.anchorSeg+1].gap.number()
		e.short = uint8(8 * max(0, tailSize-len(lit)))
		e.whole = !p.exact && len(lit) <= tailSize
		f.literals = append(f.literals, lit...)
		switch {
		case p.startsInside():
			inner = append(inner, hashedPhrase{shortHash(head), e})
			f.pairs[pair/64] |= 1 << (pair % 64)
		case len(lit) >= longHead:
			long = append(long, hashedPhrase{longHash(head), e})
		case len(lit) >= middleHead:
			middle = append(middle, hashedPhrase{middleHash(head), e})
		default:
			short = append(short, hashedPhrase{shortHash(head), e})
		}
	}
	f.long, f.middle, f.short, f.inner = newHeadTable(long), newHeadTable(middle), newHeadTable(short), newHeadTable(inner)
	return f
}

// startsInside says whether the anchor segment may start within a word.
func (p *phrase) startsInside() bool {
	seg := &p.segs[p.anchorSeg]
	if !word[seg.lit[0]] || seg.edge {
		return false
	}
	return p.anchorSeg > 0 || p.openL
}

func longHash(b []byte) uint64 {
	return (binary.LittleEndian.Uint64(b) ^ uint64(binary.LittleEndian.Uint32(b[8:]))*hashFactor>>7) * hashFactor
}

func middleHash(b []byte) uint64 {
	return binary.LittleEndian.Uint64(b) << (64 - 8*middleHead) * hashFactor
}

func shortHash(b []byte) uint64 {
	return binary.LittleEndian.Uint64(b) << (64 - 8*shortHead) * hashFactor
}

// tailOf returns the last bytes of lit in small letters as a number, whose low
// end stays 0 when lit is shorter.
func tailOf(lit []byte) (tail uint64) {
	for _, b := range lit[max(0, len(lit)-tailSize):] {
		tail = tail>>8 | uint64(lower[b])<<56
	}
	return tail
}

func newHeadTable(entries []hashedPhrase) headTable {
	size := bits.Len(uint(max(len(entries)*spread, 64) - 1))
	t := headTable{shift: uint8(64 - size), bitmap: make([]uint64, 1<<size/64),
		starts: make([]uint32, 1<<size/perBucket+1), lists: make([]headPhrase, len(entries))}
	for _, e := range entries {
		h := e.hash >> t.shift
		t.bitmap[h/64] |= 1 << (h % 64)
		t.starts[h/perBucket+1]++
	}
	for i := 1; i < len(t.starts); i++ {
		t.starts[i] += t.starts[i-1]
	}
	at := append([]uint32(nil), t.starts...)
	for _, e := range entries {
		h := e.hash >> t.shift / perBucket
		t.lists[at[h]] = e.headPhrase
		t.lists[at[h]].hash = uint32(e.hash >> 32)
		at[h]++
	}
	return t
}

// has says whether a head with that hash is in the table, or one like it.
func (t *headTable) has(hash uint64) bool {
	h := hash >> (t.shift & 63)
	return t.bitmap[h>>6]>>(h&63)&1 != 0
}

// find calls found for each phrase that stands in text, in the order of their
// anchors. padded is text in small letters, with room on either side.
func (f *finder) find(text, padded []byte, found func(phrase int32, from, to int)) {
	low := padded[room:]
	inWord := false
	for i, b := range text {
		at := low[i : i+room]
		pair := binary.LittleEndian.Uint16(at)
		if f.pairs[pair/64]>>(pair%64)&1 != 0 {
			if hash := shortHash(at); f.inner.has(hash) {
				f.compare(&f.inner, hash, i, text, padded, found)
			}
		}
		if inWord && word[b] {
			continue
		}
		inWord = word[b]
		if f.starts[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		hash := shortHash(at)
		if f.short.has(hash) {
			f.compare(&f.short, hash, i, text, padded, found)
		}
		if hash = middleHash(at); f.middle.has(hash) {
			f.compare(&f.middle, hash, i, text, padded, found)
		}
		if hash = longHash(at); f.long.has(hash) {
			f.compare(&f.long, hash, i, text, padded, found)
		}
	}
}

// compare calls found for the phrases of t whose anchor segment stands at
// text[from:].
func (f *finder) compare(t *headTable, hash uint64, from int, text, padded []byte, found func(phrase int32, from, to int)) {
	low := padded[room:]
	h := hash >> (t.shift & 63) / perBucket
	list := t.lists[t.starts[h]:t.starts[h+1]]
	for n := range list {
		e := &list[n]
		to := from + int(e.size)
		if e.hash != uint32(hash>>32) || to > len(text) {
			continue
		}
		if end := binary.LittleEndian.Uint64(padded[room-tailSize+to:]); (end^e.tail)>>(e.short&63) != 0 {
			continue
		}
		if !e.whole {
			in := low
			if e.exact {
				in = text
			}
			if !bytes.Equal(in[from:to], f.literals[e.literal:e.literal+uint32(e.size)]) {
				continue
			}
		}
		start, ok := from, true
		if !e.single {
			if e.numberL && !digit(padded[room+from-1]) || e.numberR && !digit(low[to]) {
				continue // the usual case, told without the way to the phrase
			}
			if start, to, ok = f.phrases[e.phrase].stretch(text, low, start, to); !ok {
				continue
			}
		}
		if !e.openL && start > 0 && word[text[start]] && word[text[start-1]] ||
			!e.openR && to < len(text) && word[text[to-1]] && !wordEnd(text, to) {
			continue
		}
		found(e.phrase, start, to)
	}
}
