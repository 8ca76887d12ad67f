package classify

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// scanEdge is how many bytes of each end of a long text are read. The first
// 8 KiB hold the heading and the first error of every log seen, the last 8 KiB
// the cause that a traceback ends with; what lies between is frames and output.
// Two edges also keep the time for a 64 KiB event near that of a 16 KiB one.
const scanEdge = 8 << 10

// fold appends the plain form of s to dst: the text that a person sees, on
// which all rules are matched. Terminal sequences, zero-width characters and
// frames are gone, full-width forms and typographic quotes are ASCII, escapes
// of JSON strings are resolved, and each run of white space is one ' ', or one
// '\n' when it holds a line break. The case of letters stays.
func fold(dst []byte, s string) []byte {
	if len(s) > 2*scanEdge {
		dst = foldPart(dst, s[:scanEdge])
		dst = putSpace(dst, '\n')
		return foldPart(dst, s[len(s)-scanEdge:])
	}
	return foldPart(dst, s)
}

// foldPart appends the plain form of s, a part of a text, to dst. What stays as
// it is is looked at and copied eight bytes at a time.
func foldPart(dst []byte, s string) []byte {
	dst = slices.Grow(dst, len(s)+8) // the plain form is never longer
	out, n := dst[:cap(dst)], len(dst)
	space := spaceBefore(dst) // marks the first byte if a space there is too much
	for i := 0; i < len(s); {
		var x uint64
		if i+8 <= len(s) {
			x = loadString(s[i:])
		} else {
			x = loadTail(s, i)
		}
		ascii := x &^ highests
		breaks := equal(ascii, '\n')
		spaces := equal(ascii, ' ') | breaks
		plain := (within(ascii, ' ', '~') | breaks) &^ (x | within(ascii, '[', '\\') | spaces&(spaces<<8|space))
		binary.LittleEndian.PutUint64(out[n:], x)
		if plain == highests {
			i, n, space = i+8, n+8, spaces>>56
			continue
		}
		run := bits.TrailingZeros64(^plain&highests) / 8
		i, n = i+run, n+run
		for dst = out[:n]; i < len(s); {
			if run = ideograph(s[i:]); run > 0 {
				dst = append(dst, s[i:i+run]...)
			} else {
				dst, run = foldOne(dst, s[i:])
			}
			if i += run; i < len(s) && s[i] < utf8.RuneSelf {
				break
			}
		}
		n, space = len(dst), spaceBefore(dst)
		for space != 0 && i < len(s) && s[i] == ' ' { // an indented line
			i++
		}
	}
	return out[:n]
}

// spaceBefore returns 0x80, the mark of a byte, if a space behind dst would be
// too much.
func spaceBefore(dst []byte) uint64 {
	if n := len(dst); n == 0 || dst[n-1] == ' ' || dst[n-1] == '\n' {
		return 0x80
	}
	return 0
}

// ideograph returns the length of the kana or ideograph, U+3040 to U+9FFF, that s
// starts with, or 0. They are most of all text that is not ASCII.
func ideograph(s string) int {
	const kana = 0x81 // the second byte of the first
	if len(s) < 3 || s[0] < 0xe3 || s[0] > 0xe9 || s[0] == 0xe3 && s[1] < kana || s[1]&0xc0 != 0x80 || s[2]&0xc0 != 0x80 {
		return 0
	}
	return 3
}

// foldOne appends the plain form of the character or sequence that s starts
// with, and returns how much of s it took.
func foldOne(dst []byte, s string) ([]byte, int) {
	switch b := s[0]; {
	case b >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(s)
		return foldRune(dst, r), n
	case b == ' ' || b == '\t':
		return putSpace(dst, ' '), 1
	case b == '\n' || b == '\r' || b == '\v' || b == '\f':
		return putSpace(dst, '\n'), 1
	case b == 0x1b:
		return dst, escapeLen(s)
	case b == '[':
		if n := bareColour(s); n > 0 {
			return dst, n
		}
	case b == '\\':
		return foldBackslash(dst, s)
	case b < ' ' || b == 0x7f: // other control bytes show nothing
		return dst, 1
	}
	return append(dst, s[0]), 1
}

// putSpace appends the separator sp, or joins it with the one that is there.
func putSpace(dst []byte, sp byte) []byte {
	n := len(dst)
	if n == 0 {
		return dst
	}
	switch dst[n-1] {
	case '\n':
		return dst
	case ' ':
		dst[n-1] = sp
		return dst
	}
	return append(dst, sp)
}

// escapeLen returns the length of the terminal sequence at the start of s:
// CSI, OSC (and the other strings that end in BEL or ST), or two bytes.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i // broken off: what follows is text
			}
		}
		return len(s)
	case ']', 'P', '^', '_', 'X':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 7:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i // never closed: only its line is lost
			}
		}
		return len(s)
	}
	return 2
}

// bareColour returns the length of a colour sequence whose escape byte was
// lost on the way, such as "[1;31m", or 0.
func bareColour(s string) int {
	for i := 1; i < len(s) && i < 12; i++ { // 12: "[38;5;255;1m", the longest in use
		switch {
		case s[i] >= '0' && s[i] <= '9', s[i] == ';':
		case s[i] == 'm' && i > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// foldBackslash resolves the escape of a JSON or C string at the start of s
// and returns how much of s it took.
func foldBackslash(dst []byte, s string) ([]byte, int) {
	if len(s) < 2 {
		return append(dst, '\\'), 1
	}
	switch s[1] {
	case 'n', 'r':
		return putSpace(dst, '\n'), 2
	case 't':
		return putSpace(dst, ' '), 2
	case '"', '\'', '/', '`':
		return append(dst, s[1]), 2
	case '\\':
		if len(s) > 2 && (s[2] == 'n' || s[2] == '"') { // a JSON string within a JSON string
			return dst, 1
		}
		return append(dst, '\\'), 2
	case 'u':
		if r, ok := hex4(s[2:]); ok {
			if r == 0x1b {
				return dst, 6 + bareColour(s[6:])
			}
			return foldRune(dst, r), 6
		}
	case 'x', '0', 'e':
		for _, esc := range [...]string{`\x1b`, `\x1B`, `\033`, `\e`} {
			if len(s) > len(esc) && s[:len(esc)] == esc && s[len(esc)] == '[' {
				return dst, len(esc) + bareColour(s[len(esc):])
			}
		}
	}
	return append(dst, '\\'), 1
}

// hex4 reads the four digits of a \u escape.
func hex4(s string) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		b := s[i] | 0x20
		switch {
		case s[i] >= '0' && s[i] <= '9':
			r = r<<4 | rune(s[i]-'0')
		case b >= 'a' && b <= 'f':
			r = r<<4 | rune(b-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// foldRune appends the plain form of one character outside the common ranges.
func foldRune(dst []byte, r rune) []byte {
	switch {
	case r == 0xfffd && len(dst) > 0 && dst[len(dst)-1] == ' ', invisible(r):
		return dst
	case r < 0x20, r == 0x2028, r == 0x2029, r == 0x85:
		return putSpace(dst, '\n')
	case r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000,
		r >= 0x2500 && r <= 0x259f, r >= 0x2800 && r <= 0x28ff, // frames, blocks, spinners
		r == 0xfffd:
		return putSpace(dst, ' ')
	case r < 0x7f:
		if r == ' ' {
			return putSpace(dst, ' ')
		}
		return append(dst, byte(r))
	case r >= 0xff01 && r <= 0xff5e: // full-width forms
		return append(dst, byte(r-0xfee0))
	case r >= 0x2018 && r <= 0x201b, r == 0x2032, r == 0xb4:
		return append(dst, '\'')
	case r >= 0x201c && r <= 0x201f, r == 0x2033, r == 0xab, r == 0xbb:
		return append(dst, '"')
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return append(dst, '-')
	case r == 0x2026:
		return append(dst, "..."...)
	}
	return utf8.AppendRune(dst, r)
}

// invisible says whether r takes no room: zero-width, direction marks,
// variation selectors, soft hyphen.
func invisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff,
		r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f,
		r >= 0x80 && r <= 0x9f && r != 0x85:
		return true
	}
	return false
}

// lower maps ASCII capitals to small letters and the line break to the space,
// so that a phrase also matches where a terminal wrapped it.
var lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	t['\n'] = ' '
	return t
}()

// word marks the bytes that a phrase's end must not touch.
var word = func() (t [256]bool) {
	for b := range t {
		t[b] = b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '_'
	}
	return t
}()
