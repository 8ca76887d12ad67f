package classify

import (
	"bytes"
	"strings"
)

// chunk writes a chunk that is more than a plain word: an address, a path, a
// time, or words with digits in them. seen holds the marks of its bytes.
func (m *masker) chunk(b []byte, seen byte) {
	n := len(b)
	for n > 0 && (b[n-1] == '.' || b[n-1] == ':' || b[n-1] == '!' || b[n-1] == '?') {
		n--
	}
	body, tail := b[:n], b[n:]
	switch {
	case m.wasTime && (zone(body) || m.dated && len(body) == 4 && allDigits(body)): // +0900, or the year
		m.put(tail) // which ends the time, if it is not empty
		return
	case bytes.IndexByte(body, ':') >= 0 && addressLike(body):
		m.spaceAfterTime()
		m.putMask("<hex>")
		m.put(tail)
		return
	case (seen&untimely == 0 || seen&slashed != 0 || len(tail) > 0) && timeLike(body):
		m.out = m.out[:len(m.out)-klogDay(m.out)]
		day := monthDay(m.out)
		m.out, m.dated = m.out[:len(m.out)-day], day > 0
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

// months and weekdays are as logs write them, in English whatever the language.
const (
	months   = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec "
	weekdays = "Mon Tue Wed Thu Fri Sat Sun "
)

// isNameOf says whether b is one of the names of three letters in list.
func isNameOf(b []byte, list string) bool {
	if len(b) != 3 || b[0] < 'A' || b[0] > 'Z' {
		return false
	}
	at := strings.Index(list, string(b))
	return at >= 0 && at%4 == 0
}

// monthDay returns the length of the day at the end of out that stands before a time
// of day, as syslog ("Jan <num> ") and the mail's form ("Fri, <num> Jan <num> ") have it, or 0.
func monthDay(out []byte) int {
	const mostWords = 4
	end, cut, month := len(out), len(out), false
	for range mostWords {
		to := end
		for to > 0 && (out[to-1] == ' ' || out[to-1] == ',') {
			to--
		}
		from := to
		for from > 0 && out[from-1] != ' ' && out[from-1] != 0 {
			from--
		}
		switch w := out[from:to]; {
		case isNameOf(w, months):
			cut, month = from, true
		case isNameOf(w, weekdays) && month:
			cut = from
		case string(w) != "<num>":
			return len(out) - cut
		case month:
			cut = from
		}
		end = from
	}
	return len(out) - cut
}

// zone says whether b is the zone of a time, as "+0900" is.
func zone(b []byte) bool {
	return len(b) == 5 && (b[0] == '+' || b[0] == '-') && allDigits(b[1:])
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if !digit(c) {
			return false
		}
	}
	return true
}

// addressLike says whether b is an address of IPv6 or of a network card: groups of
// hexadecimal digits, and either an empty one or five colons and a letter.
func addressLike(b []byte) bool {
	if zone := bytes.IndexByte(b, '%'); zone > 0 {
		b = b[:zone]
	}
	colons, letters, empty := 0, 0, false
	for i, c := range b {
		switch {
		case c == ':':
			colons++
			empty = empty || i > 0 && b[i-1] == ':'
		case counts[c] == 1<<16:
			letters++
		case !digit(c) && c != '.':
			return false
		}
	}
	return empty && colons <= 8 || colons >= 5 && letters > 0
}

// timeLike says whether b is a date, a time of day, or both.
func timeLike(b []byte) bool {
	if len(b) > 12 && b[2] == '/' && b[6] == '/' && isNameOf(b[3:6], months) { // 02/Jan/2026:03:04:05
		b = b[7:]
	}
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
	if at+1 < len(b) && digit(b[at+1]) { // a package and its version
		return false
	}
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

// numbers writes w with each run of digits masked. Numbers that are parts of one, as in
// 12,345 and 1.2.3 and 1h2m3s, become one, and what is behind a time belongs to it.
func (m *masker) numbers(w []byte) {
	start := 0 // w[start:] is not yet written
	for i := 0; i < len(w); i++ {
		if !digit(w[i]) {
			continue
		}
		m.put(w[start:i])
		m.number()
		for i < len(w) && digit(w[i]) {
			i++
		}
		start = i
	}
	if end := w[start:]; start > 0 && len(end) == 2 && end[1] == 's' && in(end[0], "mun") {
		start++ // 250ms is a time as 3s is
	}
	m.put(w[start:])
}

// number writes the mask of a number, or lets it be a part of what stands before it.
func (m *masker) number() {
	const num, time = "<num>", "<time>"
	n := len(m.out) - 1
	if n >= len(num) {
		switch before := m.out[:n]; {
		case in(m.out[n], ".,_hdm") && bytes.HasSuffix(before, []byte(num)):
			m.out = before
			return
		case m.out[n] == ',' && bytes.HasSuffix(before, []byte(time)):
			m.out, m.wasTime = before, true
			return
		}
	}
	m.putMask(num)
}
