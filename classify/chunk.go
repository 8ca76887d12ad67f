package classify

import "bytes"

// chunk writes a chunk that is more than a plain word: an address, a path, a
// time, or words with digits in them. seen holds the marks of its bytes.
func (m *masker) chunk(b []byte, seen byte) {
	n := len(b)
	for n > 0 && (b[n-1] == '.' || b[n-1] == ':' || b[n-1] == '!' || b[n-1] == '?') {
		n--
	}
	body, tail := b[:n], b[n:]
	if (seen&untimely == 0 || len(tail) > 0) && timeLike(body) {
		m.out = m.out[:len(m.out)-klogDay(m.out)]
		if !m.wasTime {
			m.putMask("<time>")
		}
		m.wasTime = true
		m.put(tail)
		return
	}
	m.spaceAfterTime()
	switch {
	case seen&slashed == 0 && !bytes.HasPrefix(body, []byte("..")):
		m.words(body)
	case bytes.Contains(body, []byte("://")):
		m.url(body)
	case email(body):
		m.putMask("<email>")
	case pathLike(body):
		m.putMask("<path>")
	default:
		m.words(body)
	}
	m.put(tail)
	m.coded = m.coded && len(body) == 0
}

// klogDay returns the length of the level and day at the end of out that klog,
// the logger of Kubernetes, writes before the time, as "E0903 ", or 0.
func klogDay(out []byte) int {
	const size = len("E0903 ")
	n := len(out) - size
	if n < 0 || n > 0 && word[out[n-1]] || out[n+size-1] != ' ' || !in(out[n], "IWEF") {
		return 0
	}
	for _, b := range out[n+1 : n+size-1] {
		if !digit(b) {
			return 0
		}
	}
	return size
}

// timeLike says whether b is a date, a time of day, or both.
func timeLike(b []byte) bool {
	digits, signs := 0, 0
	for i, c := range b {
		switch {
		case digit(c):
			digits++
		case c == ':' || c == '-' && i > 0 || c == '/' && i > 0:
			signs++
		case c == 'T' || c == 'Z' || c == '.' || c == '+' || c == '_':
		default:
			return false
		}
	}
	return digits >= 4 && signs >= 2 // 1:23:45 and 2026-01-02 are; 1-2 and 10:20 are not
}

// url writes an address without its query.
func (m *masker) url(b []byte) {
	query := bytes.IndexAny(b, "?#")
	if query >= 0 {
		b = b[:query]
	}
	for len(b) > 0 {
		n := bytes.IndexByte(b, '/') + 1
		if n == 0 {
			n = len(b)
		}
		m.words(b[:n])
		b = b[n:]
	}
	if query >= 0 {
		m.putMask("?<query>")
	}
}

func email(b []byte) bool {
	at := bytes.IndexByte(b, '@')
	return at > 0 && bytes.IndexByte(b[at+1:], '.') > 0 && bytes.IndexByte(b, '/') < 0
}

// pathLike says whether b is a path: rooted, or relative with a file's ending.
func pathLike(b []byte) bool {
	switch {
	case len(b) < 2:
		return false
	case b[0] == '/', b[0] == '~' && b[1] == '/', b[0] == '.' && (b[1] == '/' || b[1] == '.'):
		return true
	case len(b) > 2 && b[1] == ':' && (b[2] == '\\' || b[2] == '/'):
		return true
	}
	slashes := bytes.Count(b, []byte("/")) + bytes.Count(b, []byte(`\`))
	if slashes == 0 {
		return false
	}
	last := b[bytes.LastIndexAny(b, `/\`)+1:]
	return slashes > 1 || bytes.IndexByte(last, '.') > 0
}

// A count holds how many digits, letters of hexadecimal numbers and other
// letters a word has, 16 bits each: of at most fingerprintText bytes.
type count uint64

func (c count) digits() int  { return int(c & 0xffff) }
func (c count) hexes() int   { return int(c >> 16 & 0xffff) }
func (c count) letters() int { return int(c >> 32) }

const otherLetter count = 1 << 32

// counts holds what each byte counts in a word, 0 for those that end it.
var counts = func() (t [256]count) {
	for b := range t {
		switch c := b | 0x20; {
		case digit(byte(b)):
			t[b] = 1
		case c >= 'a' && c <= 'f' && b < 0x80:
			t[b] = 1 << 16
		case word[b] || b >= 0x80:
			t[b] = otherLetter
		}
	}
	return t
}()

// words writes b, its words masked where they hold digits.
func (m *masker) words(b []byte) {
	start := 0 // b[start:] is not yet written
	for i := 0; i < len(b); {
		if counts[b[i]] == 0 {
			i++
			continue
		}
		j, n := wordAt(b, i)
		if n.digits() == 0 {
			m.coded = announces(b[i:j])
		} else {
			m.put(b[start:i])
			m.word(b[i:j], n)
			start = j
		}
		i = j
	}
	m.put(b[start:])
}

// word writes one word with digits: masked whole when it is an identifier, else
// with its numbers masked.
func (m *masker) word(w []byte, n count) {
	digits := n.digits()
	if m.coded && digits == len(w) && digits <= 5 || errorCode(w, digits) {
		m.put(w)
		m.coded = announces(w)
		if at := m.room - cap(w); at+len(w) <= len(m.shape) && bytes.IndexByte(m.shape[at:at+len(w)], masked) >= 0 {
			m.byValue = true
		}
		return
	}
	if id := identityOf(w, n); id != noIdentity {
		m.putMask(masks[id])
		return
	}
	m.numbers(w)
}

// errorCode says whether w is the code of a compiler, linter or database, such
// as E0425, TS2307 or ORA01017: capitals, then at least three digits.
func errorCode(w []byte, digits int) bool {
	capitals := len(w) - digits
	if digits < 3 || capitals == 0 || len(w) > 12 {
		return false
	}
	for _, c := range w[:capitals] {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// numbers writes w with each run of digits masked.
func (m *masker) numbers(w []byte) {
	start := 0 // w[start:] is not yet written
	for i := 0; i < len(w); i++ {
		if !digit(w[i]) {
			continue
		}
		m.put(w[start:i])
		m.putMask("<num>")
		for i < len(w) && digit(w[i]) {
			i++
		}
		start = i
	}
	m.put(w[start:])
}
