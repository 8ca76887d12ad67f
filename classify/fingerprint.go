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
	var m masker
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

// A masker writes the template of a text in one pass.
type masker struct {
	out     []byte
	wasTime bool // the last thing written is a time, which the next one joins
	coded   bool // the last word announces a code: its number is kept
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

const (
	// closes marks the bytes that end a chunk: space, brackets, quotes and the
	// punctuation that does not stand inside paths, times or identifiers.
	closes = 1 << iota
	// odd marks the bytes that may make a chunk more than a word.
	odd
	// quotes marks those that may start a quoted name.
	quotes
)

// marks holds what a byte is to a masker.
var marks = func() (t [256]byte) {
	for class, set := range map[byte]string{closes: " \n\t()[]{}<>\"'`,;|=", odd: "0123456789/\\@", quotes: "\"'`"} {
		for i := range len(set) {
			t[set[i]] |= class
		}
	}
	return t
}()

// mask writes the template of text. What stays as it is is copied in one go:
// text[start:i] waits for that.
func (m *masker) mask(text []byte) {
	text = text[:min(len(text), fingerprintText)]
	m.wasTime, m.coded = false, false
	start := 0
	var last []byte // the last plain word, until a chunk asks what it announces
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case marks[b]&closes == 0:
			j, seen := i+1, marks[b]
			for j < len(text) && marks[text[j]]&closes == 0 {
				seen |= marks[text[j]]
				j++
			}
			if seen&odd != 0 {
				if last != nil {
					m.coded = announces(last)
					last = nil
				}
				j = addressEnd(text, i, j)
				m.put(text[start:i])
				m.chunk(text[i:j])
				start = j
			} else {
				if start == i {
					m.spaceAfterTime()
				}
				last = text[i:j]
			}
			i = j
			continue
		case b == '\n':
			m.put(text[start:i])
			m.spaceAfterTime()
			if n := len(m.out); n > 0 && m.out[n-1] != ' ' {
				m.putMask(" ")
			}
			start = i + 1
		case b == ' ':
			if m.wasTime && start == i { // times in a row are one: "2026-01-02 03:04:05"
				start = i + 1
			}
		case marks[b]&quotes != 0:
			if n := quoted(text, i); n > 0 {
				m.put(text[start:i])
				m.spaceAfterTime()
				m.putMask("<str>")
				i += n
				start = i
				continue
			}
		}
		i++
	}
	m.put(text[start:])
}

// addressEnd returns where the chunk text[i:j] ends: an address goes on behind
// the "=", "," and ";" of its query.
func addressEnd(text []byte, i, j int) int {
	if bytes.Contains(text[i:j], []byte("://")) {
		for j < len(text) && (marks[text[j]]&closes == 0 || in(text[j], "=,;|")) {
			j++
		}
	}
	return j
}

// spaceAfterTime writes the space that was held back after a time.
func (m *masker) spaceAfterTime() {
	if m.wasTime {
		m.putMask(" ")
	}
}

// quoted returns the length of the quoted name that the quote text[i] starts, or 0 when there is
// none: an apostrophe, or a string of a JSON object, whose words are the error.
func quoted(text []byte, i int) int {
	q := text[i]
	if i > 0 && word[text[i-1]] {
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
