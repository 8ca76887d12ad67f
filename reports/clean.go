package reports

import (
	"fmt"
	"strings"
	"unicode"
)

// maxRunes is the longest text of an event that is shown whole: two lines of a
// table on a wide screen. JSON and CSV carry texts unshortened.
const maxRunes = 80

// maxLabel is the longest label of a chart's axis, in columns of a narrow
// letter, of which a Chinese or Japanese one takes two.
const maxLabel = 28

// clean makes text that came with events fit to be shown: one line, no marks
// that hide text or turn its direction (they are written out as U+202E), and
// of very long texts only the beginning and the end.
func clean(s string) string { return cleanTo(s, maxRunes) }

// cleanTo is clean with room for most letters.
func cleanTo(s string, most int) string {
	return clip(strings.Join(strings.Fields(visible(s)), " "), most)
}

// visible writes out the marks that hide text or turn its direction.
func visible(s string) string {
	var b strings.Builder
	for _, c := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(c):
			b.WriteRune(c)
		case c == '\u200d': // joins the parts of an emoji
			b.WriteRune(c)
		case unicode.Is(unicode.Cf, c) || unicode.IsControl(c):
			fmt.Fprintf(&b, "U+%04X", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// clip keeps three quarters of most from the beginning and the rest from the
// end, where names of one family differ.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	head := most * 3 / 4
	tail := most - head - 1
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// axisLabel shortens s to maxLabel columns.
func axisLabel(s string) string {
	width, cut := 0, 0
	for i, c := range s {
		width += columns(c)
		if width <= maxLabel-1 {
			cut = i + len(string(c))
		}
		if width > maxLabel {
			return s[:cut] + "…"
		}
	}
	return s
}

// columns is 2 for the wide letters of East Asia, else 1.
func columns(c rune) int {
	if unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || c >= 0xFF01 && c <= 0xFF60 || c >= 0x3000 && c <= 0x303F || c == 'ー' {
		return 2
	}
	return 1
}
