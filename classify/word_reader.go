package classify

import "unicode/utf8"

// anyNumber stands for all numbers but those of three digits, which may be a
// status.
var anyNumber = []byte("#")

// eachWord calls f with the hash of each word of text, in its plain form, and
// of each pair of neighbours. A word is a run of ASCII letters without its
// ending (of RateLimitError there are three), a number or an identifier, or two neighbouring characters of a script
// without spaces.
func eachWord(text []byte, f func(uint64)) {
	w := wordReader{f: f}
	for at := 0; at < len(text); {
		from, to, id := nextIdentifier(text, at)
		w.read(text[at:from])
		if id != noIdentity {
			w.word(anyNumber)
		}
		at = to
	}
}

// A wordReader calls f for words and pairs.
type wordReader struct {
	f    func(uint64)
	last uint64 // the word before
}

func (r *wordReader) word(w []byte) {
	h := uint64(14695981039346656037) // FNV-1a, as words are short
	for _, b := range w {
		h = (h ^ uint64(lower[b])) * 1099511628211
	}
	r.f(h)
	if r.last != 0 {
		r.f((r.last ^ h>>7) * 1099511628211)
	}
	r.last = h
}

// read takes the words of text, in which there are no identifiers.
func (r *wordReader) read(text []byte) {
	for i := 0; i < len(text); {
		j := i
		switch b := lower[text[i]]; {
		case b >= 'a' && b <= 'z':
			for j < len(text) && (lower[text[j]] >= 'a' && lower[text[j]] <= 'z' || text[j] == '\'' && j > i) && (j == i || !hump(text[j-1], text[j])) {
				j++
			}
			if j-i > 1 {
				r.word(stem(text[i:j]))
			}
		case digit(b):
			for j < len(text) && digit(text[j]) {
				j++
			}
			if j-i == 3 && !named(text[:i]) {
				r.word(text[i:j])
			} else {
				r.word(anyNumber)
			}
		case b >= utf8.RuneSelf:
			_, n := utf8.DecodeRune(text[i:])
			if j = i + n; j < len(text) && text[j] >= utf8.RuneSelf {
				_, n = utf8.DecodeRune(text[j:])
				r.word(text[i : j+n])
			}
		default:
			j++
		}
		i = j
	}
}

// hump says whether a name such as RateLimitError has a new word between a and b.
func hump(a, b byte) bool { return a >= 'a' && a <= 'z' && b >= 'A' && b <= 'Z' }

// named says whether what follows text is a part of a name such as E-404: no
// status, and another one in the next message of the same kind.
func named(text []byte) bool {
	n := len(text)
	return n > 0 && (word[text[n-1]] || text[n-1] == '-' && n > 1 && word[text[n-2]])
}

// stem returns w without the ending of a plural or of a verb's form.
func stem(w []byte) []byte {
	const shortest = 5 // shorter words have none, or are told apart by it
	if len(w) < shortest {
		return w
	}
	ending := 0
	switch before := lower[w[len(w)-2]]; lower[w[len(w)-1]] {
	case 'g':
		if before == 'n' && lower[w[len(w)-3]] == 'i' {
			ending = len("ing")
		}
	case 'd':
		if before == 'e' {
			ending = len("ed")
		}
	case 'y':
		if before == 'l' {
			ending = len("ly")
		}
	case 's':
		ending = len("s")
		if before == 'e' {
			ending = len("es")
		}
	}
	return w[:len(w)-ending]
}
