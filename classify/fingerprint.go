package classify

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"hansei/ingest"
)

// fingerprintVersion stands before every fingerprint. It changes with the
// masking below, so that old and new fingerprints are never compared.
const fingerprintVersion = "f2:"

// fingerprintText is how much of a message's plain form makes its fingerprint.
// 2 KiB hold the error of 99 of 100 messages; what follows is output, which
// differs each time.
const fingerprintText = 2 << 10

// Fingerprint names the fault that a message tells of: the hash of the
// operation and the message's [Template]. It is the same on every machine and
// in every run: "f2:" and 16 hexadecimal digits.
func Fingerprint(operation, message string) string {
	var m masker
	return m.sum(operation, fold(nil, message))
}

// Template returns message with its varying parts masked: numbers, hexadecimal
// strings, UUIDs and other identifiers, paths, queries of URLs, quoted names,
// times and e-mail addresses.
func Template(message string) string {
	var m masker
	m.mask(fold(nil, message))
	return string(m.out)
}

// fingerprint is Fingerprint of e, whose message is already in s.
func (s *scratch) fingerprint(e *ingest.Event) string {
	if e.Message == "" {
		s.text = fold(s.text[:0], e.Code)
	}
	s.masker.shape, s.masker.byValue = s.shape, false
	sum := s.masker.sum(e.Operation, s.text)
	s.byValue = s.byValue || s.masker.byValue
	return sum
}

// A masker writes the template of a text in one pass.
type masker struct {
	out     []byte
	wasTime bool   // the last thing written is a time, which the next one joins
	dated   bool   // its day stood before it, so its year may stand behind it
	coded   bool   // the last word announces a code: its number is kept
	room    int    // capacity of the text, by which the place of a word in it is told
	shape   []byte // that of the text, if it has one
	byValue bool   // a number that is masked in shape was kept
}

// sum returns the fingerprint of an operation and a text in plain form.
func (m *masker) sum(operation string, text []byte) string {
	m.out = append(append(m.out[:0], operation...), 0)
	m.mask(text)
	var b [len(fingerprintVersion) + 16]byte
	copy(b[:], fingerprintVersion)
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], hash(m.out))
	hex.Encode(b[len(fingerprintVersion):], raw[:])
	return string(b[:])
}

// hash takes eight bytes at a time: multiplied by the prime of FNV-1a, and
// folded so that the upper bits of one step reach the lower ones of the next.
func hash(b []byte) uint64 {
	const (
		offset = 14695981039346656037 // of FNV-1a
		prime  = 1099511628211
		finish = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio, to spread the last step
	)
	h := uint64(offset) ^ uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 29
	}
	var tail [8]byte
	copy(tail[:], b)
	h = (h ^ binary.LittleEndian.Uint64(tail[:])) * prime
	h = (h ^ h>>32) * finish
	return h ^ h>>29
}

func (m *masker) put(b []byte) {
	if len(b) > 0 {
		m.out = append(m.out, b...)
		m.wasTime = false
	}
}

func (m *masker) putMask(mask string) {
	m.out = append(m.out, mask...)
	m.wasTime = false
}

// What a byte is to a masker.
const (
	// closes marks the bytes that end a chunk: space, brackets, quotes and the
	// punctuation that does not stand inside paths, times or identifiers.
	closes = 1 << iota
	// odd marks the bytes that may make a chunk more than a word.
	odd
	// quotes marks those that may start a quoted name.
	quotes
	// breaks marks the line break.
	breaks
	// untimely marks those that no date and no time of day has.
	untimely
	// slashed marks those of paths, addresses and e-mail addresses.
	slashed
)

// marks holds what each byte is.
var marks = func() (t [256]byte) {
	for class, set := range map[byte]string{closes: " \n\t()[]{}<>\"'`,;|=", odd: "0123456789/\\@", quotes: "\"'`\x80", breaks: "\n", slashed: "/\\@"} {
		for i := range len(set) {
			t[set[i]] |= class
		}
	}
	for b := range t {
		if !digit(byte(b)) && !in(byte(b), ":-/TZ.+_") {
			t[b] |= untimely
		}
	}
	return t
}()

// mask writes the template of text. Most of it stays as it is, and is passed
// over until a byte is odd, a quote or a line break, and copied in one go:
// text[start:] waits for that.
func (m *masker) mask(text []byte) {
	text = text[:min(len(text), fingerprintText)]
	m.room = cap(text)
	m.wasTime, m.coded = false, false
	start, words := 0, 0 // words: from where on the last word may announce a code
	var last []byte      // such a word before that
	for i := 0; i < len(text); i++ {
		class := marks[text[i]]
		if class&(odd|quotes|breaks) == 0 {
			continue
		}
		switch {
		case class&odd != 0:
			from := i
			for from > start && marks[text[from-1]]&closes == 0 {
				from--
			}
			m.flush(text[start:from])
			if w := lastWord(text[words:from], last); w != nil {
				m.coded = announces(w)
			}
			to, seen := chunkEnd(text, from)
			m.chunk(text[from:to], seen)
			for m.wasTime && to < len(text) && text[to] == ' ' { // times in a row are one: "2026-01-02 03:04:05"
				to++
			}
			start, words, last, i = to, to, nil, to-1
		case class&breaks != 0:
			m.flush(text[start:i])
			m.spaceAfterTime()
			if n := len(m.out); n > 0 && m.out[n-1] != ' ' {
				m.putMask(" ")
			}
			start = i + 1
		default:
			if from, n := quoted(text, i); n > 0 && from >= start {
				m.flush(text[start:from])
				m.spaceAfterTime()
				m.putMask("<str>")
				last = lastWord(text[words:from], last)
				start, words, i = from+n, from+n, from+n-1
			}
		}
	}
	m.flush(text[start:])
}

// flush writes text as it is.
func (m *masker) flush(text []byte) {
	if len(text) > 0 && marks[text[0]]&closes == 0 {
		m.spaceAfterTime()
	}
	m.put(text)
}

// lastWord returns the last word of text, or other if there is none.
func lastWord(text, other []byte) []byte {
	to := len(text)
	for to > 0 && marks[text[to-1]]&closes != 0 {
		to--
	}
	from := to
	for from > 0 && marks[text[from-1]]&closes == 0 {
		from--
	}
	if from == to {
		return other
	}
	return text[from:to]
}

// chunkEnd returns where the chunk that starts at text[from] ends, and the
// marks of its bytes. An address goes on behind the "=", "," and ";" of its query.
func chunkEnd(text []byte, from int) (to int, seen byte) {
	for to = from; to < len(text) && marks[text[to]]&closes == 0; to++ {
		seen |= marks[text[to]]
	}
	if seen&slashed != 0 && bytes.Contains(text[from:to], []byte("://")) {
		for to < len(text) && (marks[text[to]]&closes == 0 || in(text[to], "=,;|")) {
			to++
		}
	}
	return to, seen
}

// spaceAfterTime writes the space that was held back after a time.
func (m *masker) spaceAfterTime() {
	if m.wasTime {
		m.putMask(" ")
	}
}

// longestQuote is as shortGap: longer quotes are sentences.
const longestQuote = 120

// quoted returns where the quoted name starts whose quote stands at text[i], and its length, or 0
// when there is none: an apostrophe, a string of a JSON object, whose words are the error, or
// a sentence that tells of a failure itself.
func quoted(text []byte, i int) (from, n int) {
	q := text[i]
	if q >= 0x80 {
		return bracketed(text, i)
	}
	if i > 0 && word[text[i-1]] {
		return i, 0
	}
	n = bytes.IndexByte(text[i+1:min(len(text), i+longestQuote)], q)
	j := i + 1 + n
	if n <= 0 || j+1 < len(text) && word[text[j+1]] || bytes.IndexByte(text[i+1:j], '\n') >= 0 {
		return i, 0
	}
	before, after := byte(' '), byte(' ')
	for k := i - 1; k >= 0 && before == ' '; k-- {
		before = lower[text[k]] // which takes a line break for a space
	}
	for k := j + 1; k < min(len(text), j+4) && after == ' '; k++ {
		after = lower[text[k]] // which takes a line break for a space
	}
	if after == ':' || in(before, "{[,:") && in(after, ",}]") || bytes.IndexByte(text[i+1:j], ' ') >= 0 && failing(text[i+1:j]) {
		return i, 0
	}
	return i, j + 1 - i
}

// bracketed is quoted for the corner brackets of Japanese, "「" and "『", whose second byte is text[i].
func bracketed(text []byte, i int) (from, n int) {
	from = i - 1
	if from < 0 || i+1 >= len(text) || text[from] != 0xe3 || text[i+1] != 0x8c && text[i+1] != 0x8e {
		return from, 0
	}
	name := text[i+2:]
	n = bytes.Index(name[:min(len(name), longestQuote)], []byte{0xe3, 0x80, text[i+1] + 1})
	if n <= 0 || bytes.IndexByte(name[:n], '\n') >= 0 || failing(name[:n]) {
		return from, 0
	}
	return from, n + 6 // with both brackets
}

func in(b byte, set string) bool {
	for i := range len(set) {
		if set[i] == b {
			return true
		}
	}
	return false
}

// announces says whether a number behind word is a code, which tells faults
// apart and is kept.
func announces(w []byte) bool {
	if len(w) < 4 || len(w) > 7 {
		return false
	}
	w = bytes.TrimRight(w, ":")
	switch string(w) {
	case "error", "Error", "ERROR", "code", "Code", "errno", "Errno", "HTTP", "status", "Status", "exit":
		return true
	}
	return false
}
