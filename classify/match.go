package classify

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// A finder finds every phrase of a set in one pass over a text. Each phrase is
// filed under a key: the whole word, or the pair of whole words that follow one
// another, of its longest literal that fewest other phrases hold; so what starts
// with "failed to" is looked for only where its own words stand. Each word of the text
// and each pair is hashed and looked up in a bitmap; only where a bit is set, the
// phrases of that key are compared in full. So no collision of hashes can make a
// result wrong, and the time hardly depends on the number of phrases.
//
// A word is a run of letters, digits and '_', or one character that is not ASCII.
// The few phrases without a whole word are filed under a part of one, see [part].
//
// An automaton of Aho and Corasick was tried first: for these phrases it has
// 30,000 states, and waits for the memory at each byte. Filed by the first bytes
// of their literals, a message met 103 phrases.
type finder struct {
	phrases  []phrase
	literals []byte     // the anchor segments of all phrases, one behind the other
	words    keyTable   // by a word or a pair
	parts    keyTable   // by a part of a word
	starts   [256]uint8 // by the first byte of parts: 1<<atStart, 1<<shortStart
	least    int        // the least length of a word that holds an inside
}

const (
	// spread is how many bits a bitmap has for each key: with 16 of them, one
	// look-up in 16 is in vain, and the bitmap of words fits a first-level cache.
	spread = 16
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

// A keyTable maps keys to phrases.
type keyTable struct {
	shift  uint8    // of a hash, to a bit number
	bitmap []uint64 // of the hashes in use
	starts []uint32 // hash / perBucket: where its phrases start in lists
	lists  []keyedPhrase
}

// A keyedPhrase is a phrase as the finder compares it: all in one place, since
// what costs is the way to the memory.
type keyedPhrase struct {
	tail    uint64 // the last bytes of the anchor segment, see tailOf
	hash    uint32 // the upper half of the key's hash
	literal uint32 // where the anchor segment starts in literals
	phrase  int32
	size    uint16 // length of the anchor segment
	offset  uint16 // where the last word of the key stands in it
	short   uint8  // bits of a tail that a short segment does not fill
	exact   bool
	edge    bool // a word starts with the anchor segment
	openL   bool
	openR   bool
	numberL bool  // a number stands right before the anchor segment
	numberR bool  // a number stands right behind it
	others  uint8 // 0 if the anchor segment is the whole phrase, see needs
}

// newFinder returns the finder for phrases.
func newFinder(phrases []phrase) *finder {
	f := &finder{phrases: phrases, least: maxPhrase}
	var s scratch
	var often [1 << 16]uint16 // how many keys of phrases have a hash, by its upper bits
	for i := range phrases {
		phrases[i].keys(&s, func(k key) { often[k.hash>>48]++ })
	}
	var words, parts []keyedPhrase
	for i := range phrases {
		p := &phrases[i]
		e := f.keyed(p, int32(i))
		e.others = p.needs(&s)
		rank := 0 // the rarest key, and of those a pair
		p.keys(&s, func(k key) {
			if r := 2*int(often[k.hash>>48]) - k.pair; rank == 0 || r < rank {
				rank, e.hash, e.offset = r, uint32(k.hash>>32), uint16(k.at)
			}
		})
		if rank > 0 {
			words = append(words, e)
			continue
		}
		f.setPart(p, &e, s.small(p.segs[p.anchorSeg].lit)[room:])
		parts = append(parts, e)
	}
	f.words, f.parts = newKeyTable(words), newKeyTable(parts)
	return f
}

// keyed returns phrase number i without its key.
func (f *finder) keyed(p *phrase, i int32) keyedPhrase {
	seg := &p.segs[p.anchorSeg]
	e := keyedPhrase{tail: tailOf(seg.lit), literal: uint32(len(f.literals)), phrase: i, size: uint16(len(seg.lit)),
		short: uint8(8 * max(0, tailSize-len(seg.lit))), exact: p.exact, edge: word[seg.lit[0]] && !p.startsInside(),
		openL: p.openL, openR: p.openR,
		numberL: seg.gap.number(), numberR: p.anchorSeg+1 < len(p.segs) && p.segs[p.anchorSeg+1].gap.number()}
	f.literals = append(f.literals, seg.lit...)
	return e
}

// tailOf returns the last bytes of lit in small letters as a number, whose low
// end stays 0 when lit is shorter.
func tailOf(lit []byte) (tail uint64) {
	for _, b := range lit[max(0, len(lit)-tailSize):] {
		tail = tail>>8 | uint64(lower[b])<<56
	}
	return tail
}

func newKeyTable(entries []keyedPhrase) keyTable {
	size := bits.Len(uint(max(len(entries)*spread, 64) - 1))
	t := keyTable{shift: uint8(32 - size), bitmap: make([]uint64, 1<<size/64),
		starts: make([]uint32, 1<<size/perBucket+1), lists: make([]keyedPhrase, len(entries))}
	for i := range entries {
		h := entries[i].hash >> t.shift
		t.bitmap[h/64] |= 1 << (h % 64)
		t.starts[h/perBucket+1]++
	}
	for i := 1; i < len(t.starts); i++ {
		t.starts[i] += t.starts[i-1]
	}
	at := slices.Clone(t.starts)
	for i := range entries {
		h := entries[i].hash >> t.shift / perBucket
		t.lists[at[h]] = entries[i]
		at[h]++
	}
	return t
}

// has says whether a key with that hash is in the table, or one like it.
func (t *keyTable) has(hash uint64) bool {
	h := uint32(hash>>32) >> (t.shift & 31)
	return t.bitmap[h>>6]>>(h&63)&1 != 0
}

// A search is a text in which a finder looks for phrases.
type search struct {
	text   []byte
	padded []byte                           // in small letters, with room on either side
	low    []byte                           // the same without the room before it
	found  func(phrase int32, from, to int) // called for each phrase that stands there
	seen   uint64                           // a bit for each word and sign so far, see seenWord
}

// newSearch returns a search in text that calls found for each phrase that stands there.
func newSearch(text, padded []byte, found func(phrase int32, from, to int)) *search {
	return &search{text: text, padded: padded, low: padded[room:], found: found}
}

// find calls found for each phrase that stands in s.text, in the order of their keys.
func (f *finder) find(s *search) {
	low, words, parts := s.low, &f.words, &f.parts
	var before uint64 // the hash of the word before
	for at := 0; at < len(s.text); {
		x := binary.LittleEndian.Uint64(low[at:])
		b := byte(x)
		if starts := f.starts[b]; starts != 0 {
			if hash := atStart.hash(x); parts.has(hash) {
				f.compare(parts, hash, at, s)
			}
			if hash := shortStart.hash(x); starts>>shortStart != 0 && parts.has(hash) {
				f.compare(parts, hash, at, s)
			}
		}
		if b < utf8.RuneSelf && !word[b] {
			s.seen |= 1 << (seenSign(b) & 63)
			at++
			continue
		}
		hash, size := firstWord(x, low[at:])
		if words.has(hash) {
			f.compare(words, hash, at, s)
		}
		if pair := pairHash(before, hash); words.has(pair) {
			f.compare(words, pair, at, s)
		}
		s.seen |= 1 << (seenWord(hash) & 63)
		before = hash
		if b < utf8.RuneSelf {
			f.findParts(at, at+size, s)
		}
		at += size
	}
}

// findParts is find for the parts of the word from:to but its start.
func (f *finder) findParts(from, to int, s *search) {
	parts := &f.parts
	x := binary.LittleEndian.Uint64(s.padded[room+to-7:]) // up to the byte behind the word
	if hash := atEnd.hash(x >> 24); parts.has(hash) {
		f.compare(parts, hash, to-4, s)
	}
	if hash := overEnd.hash(x >> 32); parts.has(hash) {
		f.compare(parts, hash, to-3, s)
	}
	last := to - f.least
	for at := from; at <= last; {
		x := binary.LittleEndian.Uint64(s.padded[room+at:])
		for end := min(last, at+5); at <= end; at++ {
			if hash := inside.hash(x); parts.has(hash) {
				f.compare(parts, hash, at, s)
			}
			x >>= 8
		}
	}
}

// compare calls found for the phrases of t with that key, which stands at text[at:].
func (f *finder) compare(t *keyTable, hash uint64, at int, s *search) {
	text, low := s.text, s.low
	upper := uint32(hash >> 32)
	h := upper >> (t.shift & 31) / perBucket
	list := t.lists[t.starts[h]:t.starts[h+1]]
	for n := range list {
		e := &list[n]
		from := at - int(e.offset)
		to := from + int(e.size)
		if e.hash != upper || from < 0 || to > len(text) || e.others-1 < anything-1 && s.seen>>(e.others&63)&1 == 0 {
			continue
		}
		if end := binary.LittleEndian.Uint64(s.padded[room-tailSize+to:]); (end^e.tail)>>(e.short&63) != 0 {
			continue
		}
		if e.edge && word[s.padded[room+from-1]] {
			continue
		}
		if e.exact || e.size > tailSize {
			in := low
			if e.exact {
				in = text
			}
			if !bytes.Equal(in[from:to], f.literals[e.literal:e.literal+uint32(e.size)]) {
				continue
			}
		}
		start, ok := from, true
		if e.others > 0 {
			if e.numberL && !digit(s.padded[room+from-1]) || e.numberR && !digit(low[to]) {
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
		s.found(e.phrase, start, to)
	}
}
