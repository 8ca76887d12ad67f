package ingest

import (
	"strings"
	"unicode/utf8"
)

// A hint is a set of kinds of secrets that a text may hold. Regular expressions
// are run for those only: one pass over the bytes costs a tenth of them.
type hint uint16

const (
	hintPrivateKey hint = 1 << iota
	hintAPIKey
	hintJWT
	hintAuthorization
	hintURL
	hintPassword
	hintSignature
	hintBotToken
	hintRefreshToken
	hintClientSecret
	hintEmail
	hintHome
	hintCard
)

// What a byte may be to a secret. Most are nothing.
const (
	digit     = 1 << iota
	keyLetter     // begins keys where it begins a word
	telling       // worth a look wherever it stands
	gap           // a space, in which a word may end that credentials follow
	behind    = 4 // bits to the left: what the byte behind it may be
)

var roles = func() (of [256]uint8) {
	for c := range of {
		switch {
		case c == ' ':
			of[c] = gap
		case strings.IndexByte(`@:=/\~PJ`, byte(c)) >= 0, c == int(wideColon[0]):
			of[c] = telling
		case len(keyPrefixes[c]) > 0:
			of[c] = keyLetter
		case '0' <= c && c <= '9':
			of[c] = digit
		}
		of[c] |= (digit | telling) << behind
		switch {
		case !wordByte[c]:
			of[c] |= keyLetter << behind
		case strings.IndexByte("rcny", byte(c)|lower) >= 0:
			of[c] |= gap << behind
		}
	}
	return of
}()

// hintsOf returns the kinds of secrets that text may hold; none that it holds
// is left out.
func hintsOf(text string) hint {
	var found hint
	digits, last := 0, 0 // of the number that ends at last, in groups parted by a byte as on cards
	role := uint8(digit|keyLetter|telling) << behind
	for i := 0; i < len(text); i++ {
		before := role
		role = roles[text[i]]
		switch role & (before >> behind) {
		case digit:
			if digits > 0 && i-last > 1 && (i-last > 2 || text[i-1] != ' ' && text[i-1] != '-') {
				digits = 0
			}
			for ; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
				digits++
			}
			if i--; digits >= leastDigits {
				found |= hintCard
			}
			last = i
		case keyLetter:
			if i+1 < len(text) && keySeconds[text[i]]>>(text[i+1]%64)&1 != 0 {
				found |= hintOfKey(text[i:])
			}
		case telling:
			found |= hintAt(text, i)
		case gap:
			if endsAuthorization(text[:i]) {
				found |= hintAuthorization
			}
		}
	}
	return found
}

// The signs that part a name from its value in East Asian text; they begin with
// the same byte.
const (
	wideColon = "："
	wideEqual = "＝"
)

// hintAt returns what the telling byte at i says.
func hintAt(text string, i int) hint {
	rest := text[i:]
	switch c := text[i]; c {
	case '@':
		return hintEmail
	case ':', '=':
		var found hint
		if mayNameSecret(text[:i]) && namesSecret(text[:i]) {
			found = hintPassword
		}
		switch {
		case c == '=':
			if namesSignature(text[:i]) {
				found |= hintSignature
			}
		case strings.HasPrefix(rest, "://"):
			found |= hintURL
		case strings.HasPrefix(rest, ":AA"):
			found |= hintBotToken
		}
		return found
	case wideColon[0]:
		if (strings.HasPrefix(rest, wideColon) || strings.HasPrefix(rest, wideEqual)) && namesSecret(text[:i]) {
			return hintPassword
		}
	case '/':
		if strings.HasPrefix(rest, "/home/") || strings.HasPrefix(rest, "/Users/") {
			return hintHome
		}
		if strings.HasPrefix(rest, "//0") {
			return hintRefreshToken
		}
	case '~':
		if strings.HasSuffix(text[:i], "Q") {
			return hintClientSecret
		}
	case '\\':
		if strings.HasPrefix(rest, `\Users\`) {
			return hintHome
		}
		return hintOfKey(afterEscape(rest))
	case 'P':
		if strings.HasPrefix(rest, "PRIVATE KEY") {
			return hintPrivateKey
		}
		return hintOfKey(rest)
	case 'J':
		if strings.HasSuffix(text[:i], "ey") {
			return hintJWT
		}
	}
	return 0
}

// afterEscape returns what follows the escape of JSON that text begins with.
func afterEscape(text string) string {
	if len(text) < 2 {
		return ""
	}
	switch text[1] {
	case 'b', 'f', 'n', 'r', 't':
		return text[2:]
	case 'u':
		return text[min(len(text), 6):]
	}
	return ""
}

// wordByte are the bytes that a regular expression takes for part of a word.
var wordByte = func() (is [256]bool) {
	for c := range is {
		is[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
	}
	return is
}()

// endsAuthorization reports whether text ends like a word that credentials
// follow: bearer, basic, token, apikey or api-key, in any case.
func endsAuthorization(text string) bool {
	n := len(text)
	if n < 3 {
		return false
	}
	switch text[n-1] | lower {
	case 'r', 'c', 'n', 'y':
		switch string([]byte{text[n-3] | lower, text[n-2] | lower, text[n-1] | lower}) {
		case "rer", "sic", "ken", "key":
			return true
		}
	}
	return false
}

// lower is the bit that tells a small letter of ASCII from its capital.
const lower = 'a' - 'A'

// mayNameSecret reports whether the last letter of text, but for quotes, is
// one that names of secrets end in; most colons follow others.
func mayNameSecret(text string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '"', '\'', ' ', '\\', '_', '-', '\t', '\n', '\f', '\r':
			continue
		}
		if text[i] >= utf8.RuneSelf {
			return true // of another script
		}
		switch text[i] | lower {
		case 'd', 'e', 't', 'n', 'y': // password, passphrase and cookie, secret, token, api key
			return true
		}
		return false
	}
	return false
}
