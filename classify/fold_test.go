package classify

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// foldSlowly is foldPart, one character at a time.
func foldSlowly(s string) (dst []byte) {
	for i := 0; i < len(s); {
		var n int
		dst, n = foldOne(dst, s[i:])
		i += n
	}
	return dst
}

// TestFoldEight wants eight bytes at a time to be folded as one at a time are,
// wherever a special one stands.
func TestFoldEight(t *testing.T) {
	check := func(s string) {
		if got, want := string(foldPart(nil, s)), string(foldSlowly(s)); got != want {
			t.Errorf("%q:\n got %q\nwant %q", s, got, want)
		}
	}
	for _, line := range readCorpus(t) {
		check(line.Message)
	}
	for _, s := range badInputs() {
		check(s)
	}
	parts := []string{"a", "bc", "Defg", "12345678", " ", "  ", "\n", "\r\n", "\t", "[", "[1;31m", "]", "\\", `\n`, `\"`, `\u8bf7`, `\u001b[0m`, "\x1b[1m",
		"~", "\x7f", "\x00", "\x80", "\xa0", "\xff", "é", "\u00a0", "\u200b", "…", "「", "接", "タ", "\u3000", "\U0001f600", "\xe3\x81", "\xe9\xbf\xbf", "\xea\x80\x80"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var b strings.Builder
		for range random.IntN(20) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		check(b.String())
	}
}
