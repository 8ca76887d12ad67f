package classify

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
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
// The few phrases without a whole word are known by their last bytes, see [endings].
//
// An automaton of Aho and Corasick was tried first: for these phrases it has
// 30,000 states, and waits for the memory at each byte. Filed by the first bytes
// of their literals, a message met 103 phrases.
type finder struct {
	phrases  []phrase
	literals []byte   // the anchor segments of all phrases, one behind the other
	words    keyTable // by a word or a pair
	parts    keyTable // by the last bytes of those without a whole word
	ends     endings  // of parts
	needs    []need   // of phrases of more segments; the first two want nothing
}

const (
	// spread is how many bits a bitmap has for each key: with 16 of them, one
	// look-up in 16 is in vain, and the bitmap of words fits a second-level cache.
	spread = 16
	// perBucket is how many hashes share a list of phrases, so that the places of
	// the lists take little memory; the bitmap has told them apart before.
	perBucket = spread
	// hashFactor is 2^64 over the golden ratio, of Fibonacci hashing.
	hashFactor = 0x9e3779b97f4a7c15
	// tailSize is how many of a literal's last bytes are compared first.
	tailSize = 8
)

// A keyTable maps keys to phrases.
type keyTable struct {
	shift  uint8    // of a hash, to a bit number
	bitmap []uint64 // of the hashes in use
	starts []uint32 // hash / perBucket: where its phrases start in lists
	lists  []keyedPhrase
}

// A keyedPhrase is a phrase as the finder compares it: all in one place of half a line
// of a processor's cache, since what costs is the way to the memory.
type keyedPhrase struct {
	tail    uint64 // the last bytes of the anchor segment, see tailOf
	head    uint64 // those before the tail
	literal uint32 // where the anchor segment starts in literals
	phrase  int32
	behind  int16  // from where the key stands to the end of the anchor segment
	size    uint16 // length of the anchor segment
	needs   uint16 // 0 if the anchor segment is the whole phrase, else a place in needs
	short   uint8  // bits of a tail that a short segment does not fill
	ends    ends
}

// ends say what must hold at the ends of an anchor segment, and of its letters.
type ends uint8

const (
	isLast     ends = 1 << iota // the last phrase of its bucket
	isWhole                     // the key is a pair of words, or of a part all of the tail
	isExact                     // the case of letters matters
	isEdge                      // a word starts with the anchor segment
	isEnd                       // the phrase and a word end with it
	hasNumberL                  // a number stands right before it
	hasNumberR                  // a number stands right behind it
)

// newFinder returns the finder for phrases.
func newFinder(phrases []phrase) *finder {
	f := &finder{phrases: phrases, needs: make([]need, 2)}
	var often [1 << 16]uint16 // how many keys of phrases have a hash, by its upper bits
	var s search
	keys := make([]key, 0, 5*len(phrases)) // of all phrases, as many as they have
	count := make([]int, len(phrases))     // of each
	for i := range phrases {
		first := len(keys)
		keys = phrases[i].keys(keys, &s)
		count[i] = len(keys) - first
	}
	for _, k := range keys {
		often[k.hash>>48]++
	}
	words, parts := make([]filed, 0, len(phrases)), []filed(nil)
	for i := range phrases {
		p := &phrases[i]
		e := filed{f.keyed(p, int32(i), &s), 0}
		rank := 0 // the rarest key, and of those a pair
		for _, k := range keys[:count[i]] {
			if r := 2*int(often[k.hash>>48]) - int(k.whole/isWhole); rank == 0 || r < rank {
				rank, e.hash, e.behind = r, k.hash, int16(e.size)-k.at
				e.ends = e.ends&^isWhole | k.whole
			}
		}
		keys = keys[count[i]:]
		if rank > 0 {
			words = append(words, e)
			continue
		}
		e.hash = endHash(e.tail, e.short > 0)
		e.set(isWhole, e.short == 0)
		parts = append(parts, e)
	}
	f.words, f.parts, f.ends = newKeyTable(words), newKeyTable(parts), newEndings(parts)
	return f
}

// A filed is a phrase and the hash of the key it is filed under.
type filed struct {
	keyedPhrase
	hash uint64
}

// keyed returns phrase number i without its key.
func (f *finder) keyed(p *phrase, i int32, s *search) keyedPhrase {
	seg := &p.segs[p.anchorSeg]
	e := keyedPhrase{tail: tailOf(seg.lit), head: tailOf(seg.lit[:max(0, len(seg.lit)-tailSize)]), literal: uint32(len(f.literals)),
		phrase: i, size: uint16(len(seg.lit)), short: uint8(8 * max(0, tailSize-len(seg.lit)))}
	if len(p.segs) > 1 {
		e.needs = f.place(p.needs(s))
	}
	e.set(isExact, p.exact)
	e.set(isEdge, word[seg.lit[0]] && !p.startsInside())
	e.set(isEnd, p.closedR() && word[seg.lit[len(seg.lit)-1]])
	e.set(hasNumberL, seg.gap.number())
	e.set(hasNumberR, p.anchorSeg+1 < len(p.segs) && p.segs[p.anchorSeg+1].gap.number())
	f.literals = append(f.literals, seg.lit...)
	return e
}

// place returns the place of n in f.needs, or of one that wants nothing if there is no room.
func (f *finder) place(n need) uint16 {
	switch at := slices.Index(f.needs[1:], n) + 1; {
	case at > 0:
		return uint16(at)
	case len(f.needs) > math.MaxUint16:
		return 1
	}
	f.needs = append(f.needs, n)
	return uint16(len(f.needs) - 1)
}

func (e *keyedPhrase) set(end ends, holds bool) {
	if holds {
		e.ends |= end
	}
}

// tailOf returns the last bytes of lit in small letters as a number, whose low
// end stays 0 when lit is shorter.
func tailOf(lit []byte) (tail uint64) {
	for _, b := range lit[max(0, len(lit)-tailSize):] {
		tail = tail>>8 | uint64(lower[b])<<56
	}
	return tail
}

func newKeyTable(entries []filed) keyTable {
	size := bits.Len(uint(max(len(entries)*spread, 64) - 1))
	t := keyTable{shift: uint8(64 - size), bitmap: make([]uint64, 1<<size/64),
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
		t.lists[at[h]] = entries[i].keyedPhrase
		at[h]++
		t.lists[at[h]-1].set(isLast, at[h] == t.starts[h+1])
	}
	return t
}

// has returns the upper bits of hash, and 1 if a key with that hash is in the table, or
// one like it, else 0.
func (t *keyTable) has(hash uint64) (h uint32, is int) {
	at := hash >> (t.shift & 63)
	return uint32(at), int(t.bitmap[at>>6] >> (at & 63) & 1)
}

// find adds to s.hits each phrase that stands in its text: those with a whole word in
// the order of their keys, then the others in that of their ends.
func (f *finder) find(s *search) {
	for _, k := range f.words.keyed(s) {
		f.compare(&f.words, k, s)
	}
	state := f.ends.begin
	for at, b := range s.padded[room:][:len(s.text)] {
		if state = state<<8 | f.ends.not[b]; state >= noEnding {
			continue
		}
		tail := binary.LittleEndian.Uint64(s.padded[room+1-tailSize+at:])
		if h, ok := f.parts.has(endHash(tail, false)); ok != 0 {
			f.compare(&f.parts, placedKey{f.parts.starts[h/perBucket], int32(at + 1), isWhole}, s)
		}
		if h, ok := f.parts.has(endHash(tail, true)); ok != 0 {
			f.compare(&f.parts, placedKey{f.parts.starts[h/perBucket], int32(at + 1), 0}, s)
		}
	}
}

// keyed returns the words and pairs of the text of s that are keys of t, or like one, and
// sets s.seen. Each step is done for all, so that the ways to the memory do not wait for one another.
func (t *keyTable) keyed(s *search) []placedKey {
	if most := 2 * len(s.words); cap(s.keys) < most {
		s.keys = make([]placedKey, 2*most)
	}
	keys, n, before := s.keys[:cap(s.keys)], 0, uint64(0)
	for i := range s.words {
		w := &s.words[i]
		h, ok := t.has(w.hash)
		keys[n] = placedKey{h, int32(w.at), 0}
		n += ok
		h, ok = t.has(pairHash(before, w.hash))
		keys[n] = placedKey{h, int32(w.at), isWhole}
		n += ok
		before = w.hash
		s.seen |= 1 << seenWord(before)
	}
	keys = keys[:n]
	for i := range keys {
		keys[i].list = t.starts[keys[i].list/perBucket]
	}
	return keys
}

// compare tries the phrases of t with the key k.
func (f *finder) compare(t *keyTable, k placedKey, s *search) {
	padded := s.padded[room-tailSize:]
	for i := k.list; ; i++ {
		e := &t.lists[i]
		to := int(k.at) + int(e.behind)
		if end := binary.LittleEndian.Uint64(padded[to : to+tailSize]); (end^e.tail)>>(e.short&63) == 0 && e.ends&isWhole == k.whole {
			f.confirm(e, to, s)
		}
		if e.ends&isLast != 0 {
			return
		}
	}
}

// confirm adds e to s.hits, the tail of whose anchor segment ends at text[to], if all of
// it stands there. Beside the text are no bytes that a literal has, so from and to
// need no look for its ends.
func (f *finder) confirm(e *keyedPhrase, to int, s *search) {
	padded, from := s.padded, to-int(e.size)
	if e.ends&isEdge != 0 && word[padded[room+from-1]] || e.ends&isEnd != 0 && !s.wordEnds(to) {
		return
	}
	if e.size > tailSize {
		before := binary.LittleEndian.Uint64(padded[room+to-2*tailSize:])
		if short := 8 * max(0, 2*tailSize-int(e.size)); (before^e.head)>>(short&63) != 0 {
			return
		}
	}
	if e.ends&isExact != 0 {
		if !bytes.Equal(s.text[max(0, from):to], f.literal(e)) {
			return
		}
	} else if e.size > 2*tailSize && !bytes.Equal(padded[room+from:room+to], f.literal(e)) {
		return
	}
	if e.needs > 0 {
		f.stretch(e, from, to, s)
		return
	}
	s.hits = append(s.hits, hit{e.phrase, int32(from), int32(to)})
}

// stretch adds e to s.hits, whose anchor segment stands at text[from:to], if all of
// it stands there.
func (f *finder) stretch(e *keyedPhrase, from, to int, s *search) {
	low := s.padded[room:]
	n := &f.needs[e.needs]
	if e.ends&hasNumberL != 0 && !digit(s.padded[room+from-1]) || e.ends&hasNumberR != 0 && !digit(low[to]) ||
		n.seen&^s.seen != 0 || n.sign != 0 && bytes.IndexByte(low[:from], n.sign) < 0 {
		return // the usual case, told without the way to the phrase
	}
	p := &f.phrases[e.phrase]
	from, to, ok := p.stretch(s.text, low, from, to)
	if ok && (p.openL || !word[low[from]] || !word[s.padded[room+from-1]]) && (p.openR || !word[low[to-1]] || s.wordEnds(to)) {
		s.hits = append(s.hits, hit{e.phrase, int32(from), int32(to)})
	}
}

// literal returns the anchor segment of e.
func (f *finder) literal(e *keyedPhrase) []byte { return f.literals[e.literal:][:e.size] }
