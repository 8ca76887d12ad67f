package classify

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"hansei/ingest"
)

// fingerprintVersion stands before every fingerprint. It changes with the
// masking below, so that old and new fingerprints are never compared.
const fingerprintVersion = "f1:"

// fingerprintText is how much of a message's plain form makes its fingerprint.
// 2 KiB hold the error of 99 of 100 messages; what follows is output, which
// differs each time.
const fingerprintText = 2 << 10

// Fingerprint names the fault that a message tells of: the hash of the
// operation and the message's [Template]. It is the same on every machine and
// in every run: "f1:" and 16 hexadecimal digits.
func Fingerprint(operation, message string) string {
	var m masker
	return m.sum(operation, fold(nil, message))
}

// Template returns message with its varying parts masked: numbers, hexadecimal
// strings, UUIDs and other identifiers, paths, queries of URLs, quoted names,
// times and e-mail addresses.
func Template(message string) string {
	m := masker{keep: true}
	m.mask(fold(nil, message))
	return string(m.out)
}

// fingerprint is Fingerprint of e, whose message is already in s.
func (s *scratch) fingerprint(e *ingest.Event) string {
	if e.Message == "" {
		s.text = fold(s.text[:0], e.Code)
	}
	return s.masker.sum(e.Operation, s.text)
}

// A masker writes the template of a text in one pass, to a hash and, when keep
// is set, to out.
type masker struct {
	hash    uint64
	keep    bool
	out     []byte
	wasTime bool // the last thing written is a time, which the next one joins
	coded   bool // the last word announces a code: its number is kept
}

// The constants of the FNV-1a hash of 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func (m *masker) sum(operation string, text []byte) string {
	m.hash = fnvOffset
	for i := range len(operation) {
		m.hash = (m.hash ^ uint64(operation[i])) * fnvPrime
	}
	m.hash *= fnvPrime // a zero byte between the two parts
	m.mask(text)
	var b [len(fingerprintVersion) + 16]byte
	copy(b[:], fingerprintVersion)
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], m.hash)
	hex.Encode(b[len(fingerprintVersion):], raw[:])
	return string(b[:])
}

func (m *masker) put(b []byte) {
	h := m.hash
	for _, x := range b {
		h = (h ^ uint64(x)) * fnvPrime
	}
	m.hash = h
	m.wasTime = false
	if m.keep {
		m.out = append(m.out, b...)
	}
}

func (m *masker) putMask(mask string) {
	h := m.hash
	for i := range len(mask) {
		h = (h ^ uint64(mask[i])) * fnvPrime
	}
	m.hash = h
	m.wasTime = false
	if m.keep {
		m.out = append(m.out, mask...)
	}
}

// closer marks the bytes that end a chunk: space, brackets, quotes and the
// punctuation that does not stand inside paths, times or identifiers.
var closer = func() (t [256]bool) {
	for _, b := range []byte(" \n\t()[]{}<>\"'`,;|=") {
		t[b] = true
	}
	return t
}()

// mask writes the template of text.
func (m *masker) mask(text []byte) {
	text = text[:min(len(text), fingerprintText)]
	m.wasTime, m.coded = false, false
	for i := 0; i < len(text); {
		b := text[i]
		if closer[b] {
			if n := quoted(text, i); n > 0 {
				m.putMask("<str>")
				i += n
				continue
			}
			if b == '\n' {
				b = ' '
			}
			if !m.wasTime || b != ' ' { // times in a row are one: "2026-01-02 03:04:05"
				m.put([]byte{b})
			}
			i++
			continue
		}
		j, odd := i, false
		for j < len(text) && !closer[text[j]] {
			odd = odd || oddByte[text[j]]
			j++
		}
		if odd {
			m.chunk(text[i:j])
		} else {
			m.spaceAfterTime()
			m.put(text[i:j])
			m.coded = announces(text[i:j])
		}
		i = j
	}
}

// spaceAfterTime writes the space that was held back after a time.
func (m *masker) spaceAfterTime() {
	if m.wasTime {
		m.putMask(" ")
	}
}

// oddByte marks the bytes that may make a chunk more than a word.
var oddByte = func() (t [256]bool) {
	for _, b := range []byte("0123456789/\\@") {
		t[b] = true
	}
	return t
}()

// quoted returns the length of the quoted name at text[i:], or 0 when there is
// none: an apostrophe, or a string of a JSON object, whose words are the error.
func quoted(text []byte, i int) int {
	q := text[i]
	if q != '"' && q != '\'' && q != '`' || i > 0 && word[text[i-1]] {
		return 0
	}
	const longest = 120 // as shortGap: longer quotes are sentences
	end := min(len(text), i+longest)
	j := i + 1
	for j < end && text[j] != q && text[j] != '\n' {
		j++
	}
	if j == end || text[j] != q || j == i+1 || j+1 < len(text) && word[text[j+1]] {
		return 0
	}
	before, after := byte(' '), byte(' ')
	if k := bytes.TrimRight(text[:i], " \n"); len(k) > 0 {
		before = k[len(k)-1]
	}
	if k := bytes.TrimLeft(text[j+1:min(len(text), j+4)], " \n"); len(k) > 0 {
		after = k[0]
	}
	if after == ':' || in(before, "{[,:") && in(after, ",}]") {
		return 0
	}
	return j + 1 - i
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
	w = bytes.TrimRight(w, ":")
	if len(w) < 4 || len(w) > 6 {
		return false
	}
	switch string(w) {
	case "error", "Error", "ERROR", "code", "Code", "errno", "Errno", "HTTP", "status", "Status", "exit":
		return true
	}
	return false
}
