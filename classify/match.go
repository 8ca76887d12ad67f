package classify

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// A finder finds every phrase of a set in one pass over a text. Each phrase is
// filed under a key of its longest literal, see [keyKind]: that which fewest other
// phrases hold; so what starts with "failed to" is looked for only where its own words
// stand. The keys of each word of the text are hashed and looked up in bitmaps; only where a
// bit is set, the phrases of that key are compared in full. So no collision of hashes can
// make a result wrong, and the time hardly depends on the number of phrases.
//
// A word is a run of letters, digits and '_', or one character that is not ASCII.
// The few phrases without a key are known by their last bytes, see [endings].
//
// An automaton of Aho and Corasick was tried first: for these phrases it has
// 30,000 states, and waits for the memory at each byte. Filed by the first bytes
// of their literals, a message met 103 phrases.
type finder struct {
	phrases  []phrase
	literals []byte              // the anchor segments of all phrases, one behind the other
	words    wordBits            // of the keys that hold a whole word
	edges    [kinds]edgeBits     // of those of other kinds
	ends     endings             // of phrases without a word
	starts   [buckets + 1]uint32 // bucket of a key: where its phrases start in lists
	lists    []keyedPhrase
	needs    []need // of phrases of more segments; the first two want nothing
}

const (
	// buckets is how many lists the phrases are in: twice as many as there are phrases. The
	// bitmaps have told their keys apart before.
	buckets    = 1 << bucketBits
	bucketBits = 15
	// hashFactor is 2^64 over the golden ratio, of Fibonacci hashing.
	hashFactor = 0x9e3779b97f4a7c15
	// tailSize is how many of a literal's last bytes are compared first.
	tailSize = 8
)

type (
	// wordBits have a bit for the upper bits of a hash, 30 for each key of whole words: one
	// look-up in 30 is in vain, and a second-level cache holds them.
	wordBits [1 << 13]uint64
	// edgeBits are the same for the few keys of another kind, so that what each word is
	// asked for is near the processor.
	edgeBits [1 << 6]uint64
)

func (b *wordBits) set(hash uint64)     { b[hash>>51] |= 1 << (hash >> 45 % 64) }
func (b *wordBits) has(hash uint64) int { return one(b[hash>>51]&(1<<(hash>>45%64)) != 0) }
func (b *edgeBits) set(hash uint64)     { b[hash>>58] |= 1 << (hash >> 52 % 64) }
func (b *edgeBits) has(hash uint64) int { return one(b[hash>>58]&(1<<(hash>>52%64)) != 0) }

// one returns 1 if is, else 0. It makes no jump.
func one(is bool) (n int) {
	if is {
		n = 1
	}
	return n
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
	isLast  ends = 1 << iota // the last phrase of its bucket
	isExact                  // the case of letters matters
	isEdge                   // a word starts with the anchor segment
	isEnd                    // the phrase and a word end with it
	kindOne                  // and above it: the kind of the key
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
	entries, parts := make([]filed, 0, len(phrases)), []filed(nil)
	for i := range phrases {
		e := filed{f.keyed(&phrases[i], int32(i), &s), 0}
		rank := 0 // the rarest key, and of those the longest
		for _, k := range keys[:count[i]] {
			if r := int(kinds)*int(often[k.hash>>48]) - int(k.kind); rank == 0 || r < rank {
				rank, e.hash, e.behind = r, k.hash, int16(e.size)-k.at
				e.ends = e.ends%kindOne | ends(k.kind)*kindOne
			}
		}
		keys = keys[count[i]:]
		if rank == 0 { // the last bytes of its anchor segment are one
			kind := longEnd
			if e.hash = longHash(e.tail); e.short > 0 {
				kind, e.hash = shortEnd, shortHash(e.tail)
			}
			e.ends |= ends(kind) * kindOne
			parts = append(parts, e)
		}
		entries = append(entries, e)
	}
	f.ends = newEndings(parts)
	f.file(entries)
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

// file sets the lists of f and the bitmaps of their keys.
func (f *finder) file(entries []filed) {
	for i := range entries {
		e := &entries[i]
		if e.kind() <= wordPair {
			f.words.set(e.hash)
		} else {
			f.edges[e.kind()].set(e.hash)
		}
		f.starts[e.hash>>(64-bucketBits)+1]++
	}
	for i := range buckets {
		f.starts[i+1] += f.starts[i]
	}
	f.lists = make([]keyedPhrase, len(entries))
	at := f.starts
	for i := range entries {
		b := entries[i].hash >> (64 - bucketBits)
		f.lists[at[b]] = entries[i].keyedPhrase
		at[b]++
		f.lists[at[b]-1].set(isLast, at[b] == f.starts[b+1])
	}
}

// kind returns that of the key of e.
func (e *keyedPhrase) kind() keyKind { return keyKind(e.ends / kindOne) }

// find adds to s.hits each phrase that stands in its text: those with a word in
// the order of their keys, then the others in that of their ends. Each step is done for all
// keys, so that the ways to the memory do not wait for one another.
func (f *finder) find(s *search) {
	s.keys = s.keys[:0]
	f.keyWords(s)
	f.keyEnds(s)
	entries := uint32(0)
	for i := range s.keys {
		k := &s.keys[i]
		from := f.starts[k.list]
		entries += f.starts[k.list+1] - from
		k.list = from
	}
	if cap(s.tries) <= int(entries) {
		s.tries = make([]placedKey, 2*(entries+1))
	}
	f.compare(s)
	for _, t := range s.tries {
		if e := &f.lists[t.list]; e.kind() == t.kind() {
			f.confirm(e, t.at()-room, s)
		}
	}
}

// keyWords sets s.keys to those of the words of the text that are keys of phrases, or like
// one, and s.seen.
func (f *finder) keyWords(s *search) {
	if most := int(kinds) * len(s.words); cap(s.keys) < most {
		s.keys = make([]placedKey, 2*most)
	}
	keys, padded, n := s.keys[:cap(s.keys)], s.padded, 0
	seen, before := uint64(0), uint64(0)
	for _, w := range s.words {
		at, stop := room+uint32(w.at), room+uint32(w.end)-stopSize
		last := binary.LittleEndian.Uint64(padded[stop : stop+8])
		keys[n] = newPlacedKey(w.hash, at, wholeWord)
		n += f.words.has(w.hash)
		hash := tiedHash(w.hash, last>>(8*stopSize))
		keys[n] = newPlacedKey(hash, at, wordTied)
		n += f.words.has(hash)
		hash = pairHash(before, w.hash)
		keys[n] = newPlacedKey(hash, at, wordPair)
		n += f.words.has(hash)
		hash = edgeHash(binary.LittleEndian.Uint32(padded[at : at+edgeSize]))
		keys[n] = newPlacedKey(hash, at, wordStart)
		n += f.edges[wordStart].has(hash)
		hash = edgeHash(uint32(last))
		keys[n] = newPlacedKey(hash, stop, wordStop)
		n += f.edges[wordStop].has(hash)
		before = w.hash
		seen |= 1 << seenWord(before)
	}
	s.keys, s.seen = keys[:n], seen
}

// keyEnds adds to s.keys where literals of f.ends may end.
func (f *finder) keyEnds(s *search) {
	text := s.padded[room:][:len(s.text)]
	for at, state := f.ends.next(text, 0, f.ends.begin); at < len(text); at, state = f.ends.next(text, at+1, state) {
		tail := binary.LittleEndian.Uint64(s.padded[room+1-tailSize+at:])
		if hash := longHash(tail); f.edges[longEnd].has(hash) > 0 {
			s.keys = append(s.keys, newPlacedKey(hash, uint32(room+at+1), longEnd))
		}
		if hash := shortHash(tail); f.edges[shortEnd].has(hash) > 0 {
			s.keys = append(s.keys, newPlacedKey(hash, uint32(room+at+1), shortEnd))
		}
	}
}

// compare sets s.tries, which has room for all, to the phrases of s.keys whose last bytes
// stand where they should, with the ends of their anchor segments. It makes few jumps.
func (f *finder) compare(s *search) {
	tries, padded, lists, n := s.tries[:cap(s.tries)], s.padded, f.lists, 0
	for _, k := range s.keys {
		for i := k.list; ; i++ {
			e := &lists[i]
			place := k.place + uint32(e.behind)*placeOne
			to := place / placeOne
			end := binary.LittleEndian.Uint64(padded[to-tailSize : to])
			tries[n] = placedKey{i, place}
			n += one((end^e.tail)>>(e.short&63) == 0)
			if e.ends&isLast != 0 {
				break
			}
		}
	}
	s.tries = tries[:n]
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
	if n.numberL && !digit(s.padded[room+from-1]) || n.numberR && !digit(low[to]) ||
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
