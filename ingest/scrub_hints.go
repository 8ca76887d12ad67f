package ingest

import "strings"

// A hint is a set of kinds of secrets that a text may hold. Regular expressions
// are run for those only: one pass over the bytes costs a tenth of them.
type hint uint32

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
	hintMailchimp
	hintTag      // <password>
	hintSpoken   // a name and a space: --password x
	hintCommand  // curl -u
	hintJWK      // a key as RFC 7517 has it
	hintHash     // $6$
	hintDisguise // signs of another notation: see meaning
)

// What a byte may be to a secret. Most are nothing.
const (
	digit     = 1 << iota
	keyLetter     // begins keys where it begins a word
	telling       // worth a look wherever it stands
	gap           // a space, in which a word may end that credentials follow
	dash          // where it begins a word, or parts few letters
	behind    = 8 // bits to the left: what the byte behind it may be
)

var roles = func() (of [256]uint16) {
	for c := range of {
		switch {
		case c == ' ', c == '\n', c == '\t':
			of[c] = gap
		case c == '-':
			of[c] = dash
		case strings.IndexByte("@:=/\\~PJ%&[>$\x1b", byte(c)) >= 0, c == int(wideColon[0]), c == int(hidden[0][0]), c == int(openBracket[2]), c == int(topic[2]):
			of[c] = telling
		case len(keyPrefixes[c]) > 0:
			of[c] = keyLetter
		case '0' <= c && c <= '9':
			of[c] = digit
		}
		of[c] |= (digit | telling | dash) << behind
		switch {
		case !wordByte[c]:
			of[c] |= keyLetter << behind
		case strings.IndexByte("rcnyd", byte(c)|lower) >= 0:
			of[c] |= gap << behind
		}
		if c == ' ' || c == '\r' {
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
	role := uint16(digit|keyLetter|telling|dash) << behind
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
			found |= hintOfSpace(text[:i])
		case dash:
			if i == 0 || !wordByte[text[i-1]] || i+1 < len(text) && (text[i+1] == 'u' || text[i+1] == '-') {
				found |= hintOfDash(text, i)
			}
		}
	}
	return found
}

// The signs that part a name from its value in East Asian text.
const (
	wideColon   = "："
	wideEqual   = "＝" // begins with the same byte
	openBracket = "「"
	topic       = "は"
	copula      = "是" // ends with the same byte
)

// hintAt returns what the telling byte at i says.
func hintAt(text string, i int) hint {
	rest := text[i:]
	switch c := text[i]; c {
	case '@':
		return hintEmail
	case ':', '=':
		return hintOfSign(text, i)
	case '>':
		if mayNameSecret(text[:i]) {
			return ifNamed(text[:i], hintTag)
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
		return hintOfKey(afterEscape(rest)) | ifDisguised(rest) | hintOfSpace(text[:i])
	case '%', '&', hidden[0][0]:
		return ifDisguised(rest)
	case '[', '\x1b':
		if n := colour(rest); n > 0 {
			return hintDisguise | hintOfKey(rest[n:])
		}
	case 'P':
		if strings.HasPrefix(rest, "PRIVATE KEY") {
			return hintPrivateKey
		}
		if strings.HasPrefix(rest, "Private-Lines:") { // of PuTTY
			return hintPrivateKey
		}
		return hintOfKey(rest)
	case 'J':
		if strings.HasSuffix(text[:i], "ey") {
			return hintJWT
		}
		if strings.HasPrefix(rest, "JQQJ99") {
			return hintClientSecret
		}
		return hintOfKey(rest)
	case '$':
		return hintOfHash(rest)
	default:
		return hintOfWide(text, i)
	}
	return 0
}

// ifNamed is found if before ends with the name of a secret.
func ifNamed(before string, found hint) hint {
	if is, _ := namesSecret(before); is {
		return found
	}
	return 0
}

func ifDisguised(rest string) hint {
	if _, n := plainAt(rest); n > 0 {
		return hintDisguise
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

// lower is the bit that tells a small letter of ASCII from its capital.
const lower = 'a' - 'A'
