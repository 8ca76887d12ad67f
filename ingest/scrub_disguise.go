package ingest

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// layers is how often a text may be written in another notation within one: a
// JSON text within a JSON text within an address has three.
const layers = 3

// meaning returns what text says without one layer of notation: escapes of
// JSON and of addresses, entities of HTML, colours of terminals, full-width
// forms, and characters that are not seen.
func meaning(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		plain, n := plainAt(text[i:])
		if n == 0 {
			out = append(out, text[i])
			i++
			continue
		}
		out = append(out, plain...)
		i += n
		if len(out) > 0 && wordByte[out[len(out)-1]] && hintOfKey(text[i:]) != 0 {
			out = append(out, ' ') // a key begins a word
		}
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

// plainAt returns what the notation that text begins with stands for and its
// length; zero for what stands for itself. Characters of control stay written
// as they are, but for the escape of colours.
func plainAt(text string) (plain string, n int) {
	switch text[0] {
	case '%':
		return plainByte(text, 1)
	case '\\':
		return plainEscape(text)
	case '\x1b', '[':
		return "", colour(text)
	case '&':
		if end := strings.IndexByte(text[:min(len(text), longestEntity)], ';'); end > 0 {
			if plain := html.UnescapeString(text[:end+1]); plain != text[:end+1] && plain >= " " {
				return plain, end + 1
			}
		}
	case wideColon[0]:
		if r, size := utf8.DecodeRuneInString(text); '！' <= r && r <= '～' {
			return string(r - '！' + '!'), size
		}
		if strings.HasPrefix(text, "\uFEFF") {
			return "", len("\uFEFF")
		}
	case hidden[0][0]:
		for _, h := range hidden {
			if strings.HasPrefix(text, h) {
				return "", len(h)
			}
		}
	}
	return "", 0
}

// longestEntity bounds the search for the end of an entity: of those that
// programs write, &#x1F600; is the longest.
const longestEntity = len("&#x1F600;")

// hidden are characters without a width; they begin with the same byte.
var hidden = []string{"\u200B", "\u200C", "\u200D", "\u2060"}

// plainByte reads the two digits of a byte that text has at an index.
func plainByte(text string, at int) (string, int) {
	if len(text) < at+2 {
		return "", 0
	}
	c, err := strconv.ParseUint(text[at:at+2], 16, 8)
	switch {
	case err != nil:
		return "", 0
	case c == '\x1b':
		return "", at + 2
	case c < ' ':
		return "", 0
	}
	return string([]byte{byte(c)}), at + 2
}

// deepest is how many signs of escape an escape may have: JSON that is written
// in JSON four times has 15.
const deepest = 15

// plainEscape reads an escape of JSON or of a programming language. It may be
// escaped itself, any number of times.
func plainEscape(text string) (string, int) {
	at := 0
	for at < min(len(text), deepest) && text[at] == '\\' {
		at++
	}
	switch {
	case at == len(text):
	case text[at] == '/':
		return "/", at + 1
	case text[at] == 'x':
		return plainByte(text, at+1)
	case text[at] == 'u':
		r, ok := codeUnit(text, at+1)
		switch {
		case !ok:
			return "", 0
		case r == '\x1b':
			return "", at + 5
		case r < ' ':
			return "", 0
		case utf16.IsSurrogate(r):
			second := at + 5 + at // as many signs before the second half
			low, ok := codeUnit(text, second+1)
			if !ok || text[second] != 'u' || text[at+5:second] != text[:at] {
				return "", 0
			}
			return string(utf16.DecodeRune(r, low)), second + 5
		}
		return string(r), at + 5
	}
	return "", 0
}

// codeUnit reads the four digits that text has at an index.
func codeUnit(text string, at int) (rune, bool) {
	if len(text) < at+4 {
		return 0, false
	}
	r, err := strconv.ParseUint(text[at:at+4], 16, 16)
	return rune(r), err == nil
}

// longestColour is the length of the parameters of a colour: 38;2;255;255;255
// is one of 24 bits.
const longestColour = 20

// colour returns the length of the control sequence of a terminal (ECMA-48,
// section 5.4) that text begins with; also of a colour that lost its escape.
func colour(text string) int {
	at := 0
	if text[0] == '\x1b' {
		at = 1
	}
	if len(text) <= at || text[at] != '[' {
		return 0
	}
	first := at + 1
	for i := first; i < len(text) && i <= first+longestColour; i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9' || c == ';' || at == 1 && c == '?':
		case c == 'm' && i > first, at == 1 && wordByte[c]:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}
