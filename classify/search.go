package classify

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A search is a text in which a finder looks for phrases. It is used again for others.
type search struct {
	text   []byte
	padded []byte      // text in small letters, with room on either side that holds no byte of a literal
	words  []placed    // of text, in their order
	keys   []placedKey // keys of the finder that stand in text, or what is like one
	tries  []placedKey // phrases that may stand there
	seen   uint64      // a bit for each word, see seenWord
	hits   []hit       // what was found
	marks  [2][]byte   // a bit for each byte of text: it is a letter, digit or '_', a word starts there
}

// A placed is a word where it stands.
type placed struct {
	hash    uint64
	at, end int32
}

// A placedKey is a key of a finder that stands at padded[at:], or a phrase whose anchor
// segment may end there.
type placedKey struct {
	list  uint32 // the bucket, then where that starts in the lists of the finder, then the phrase there
	place uint32 // at * placeOne + kind
}

const placeOne = 8 // there are fewer kinds

func newPlacedKey(hash uint64, at uint32, kind keyKind) placedKey {
	return placedKey{uint32(hash >> (64 - bucketBits)), at*placeOne + uint32(kind)}
}

func (k placedKey) at() int       { return int(k.place / placeOne) }
func (k placedKey) kind() keyKind { return keyKind(k.place % placeOne) }

// A hit is a phrase that stands at text[from:to].
type hit struct{ phrase, from, to int32 }

// room is how many bytes are on either side of a text: what is compared there needs
// no look for the ends of the text.
const room = maxPhrase + 2*tailSize

// set makes s a search in text.
func (s *search) set(text []byte) {
	s.text, s.seen, s.hits, s.words = text, 0, s.hits[:0], s.words[:0]
	if size := len(text) + 2*room; cap(s.padded) < size {
		s.padded = make([]byte, size, 2*size)
		s.marks = [2][]byte{make([]byte, size/4), make([]byte, size/4)}
	}
	s.padded = s.padded[:len(text)+2*room]
	low := s.padded[room:]
	clear(low[copy(low, text):])
	s.lower(low)
	s.cut(low)
}

// lower brings low, the text, into small letters, and sets s.marks. A line break becomes
// a space, as in [lower].
func (s *search) lower(low []byte) {
	size, before := uint(len(s.text)+7)/8, byte(0)
	letters, starts := s.marks[0][:size+16], s.marks[1][:size+16]
	for i := range size {
		eight := low[8*i:][:8]
		x := binary.LittleEndian.Uint64(eight)
		ascii := x &^ highests
		letter := within(ascii|' '*lowests, 'a', 'z') &^ x
		breaks := equal(ascii, '\n') &^ x
		binary.LittleEndian.PutUint64(eight, (x|letter>>2)^breaks>>7*('\n'^' '))
		letter |= (within(ascii, '0', '9') | equal(ascii, '_')) &^ x
		w := gather(letter)
		letters[i], starts[i] = w, w&^(w<<1|before)
		if x&highests != 0 { // a character that is not ASCII starts with two bits
			starts[i] |= gather(x & (x << 1) & highests)
		}
		before = w >> 7
	}
	clear(letters[size:])
	clear(starts[size:])
}

// cut finds the words of low, the text in small letters.
func (s *search) cut(low []byte) {
	for base := 0; base < len(s.text); base += 64 {
		starts, letters := binary.LittleEndian.Uint64(s.marks[1][base/8:]), binary.LittleEndian.Uint64(s.marks[0][base/8:])
		for ; starts != 0; starts &= starts - 1 {
			n := bits.TrailingZeros64(starts)
			size, at := bits.TrailingZeros64(^(letters >> n)), base+n
			switch b := low[at]; {
			case b >= utf8.RuneSelf:
				size = bits.LeadingZeros8(^b)
			case n+size == 64:
				for base := base + 64; ; base += 64 {
					more := bits.TrailingZeros64(^binary.LittleEndian.Uint64(s.marks[0][base/8:]))
					if size += more; more < 64 {
						break
					}
				}
			}
			s.words = append(s.words, placed{wordHash(low[at:], size), int32(at), int32(at + size)})
		}
	}
}

// wordEnds says whether a word that ends at text[to] is complete, see [wordEnd].
func (s *search) wordEnds(to int) bool {
	b := s.padded[room+to]
	return !word[b] && (b != '.' || wordEnd(s.text, to))
}
