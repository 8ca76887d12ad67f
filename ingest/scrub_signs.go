package ingest

import (
	"strings"
	"unicode/utf8"
)

// hintOfSign tells of the colon or the equals sign at i.
func hintOfSign(text string, i int) hint {
	var found hint
	before, rest := text[:i], text[i:]
	if mayNameSecret(before) {
		found = ifNamed(before, hintPassword)
	}
	if last := text[max(0, i-1)]; (last|lower == 'n' || marksName[last]) && namesAuthorization(before) {
		found |= hintAuthorization
	}
	switch {
	case rest[0] == '=':
		if namesSignature(before) {
			found |= hintSignature
		}
		if strings.HasSuffix(before, "?key") || strings.HasSuffix(before, "&key") {
			found |= hintPassword
		}
	case strings.HasPrefix(rest, "://"):
		found |= hintURL
	case strings.HasPrefix(rest, ":AA"):
		found |= hintBotToken
	case strings.HasPrefix(rest, ":5432:"), strings.HasPrefix(rest, ":*:"): // of .pgpass
		found |= hintPassword
	case strings.HasSuffix(before, `"`) && strings.HasSuffix(strings.TrimRight(before, `"\`), `"kty`):
		found |= hintJWK
	}
	return found
}

// namesAuthorization reports whether text ends with the name of the header.
func namesAuthorization(text string) bool {
	const name = "authorization"
	n := len(text)
	for n > 0 && marksName[text[n-1]] {
		n--
	}
	return n >= len(name) && text[n-6]|lower == 'z' && strings.EqualFold(text[n-len(name):n], name)
}

// hintOfHash tells of the dollar sign that text begins with: $6$ and the like
// are what crypt(3) makes of a password.
func hintOfHash(text string) hint {
	const longest = len("$pbkdf2-sha512$")
	if n := strings.IndexByte(text[1:min(len(text), longest)], '$'); n > 0 && (wordByte[text[1]] && n < 3 || strings.Contains("apr1 argon2i argon2d argon2id scrypt pbkdf2 pbkdf2-sha1 pbkdf2-sha256 pbkdf2-sha512", text[1:1+n])) {
		return hintHash
	}
	return 0
}

// What a sign is looked for with has a limit, so that a text of one sign alone
// costs no more than its length.
const (
	longestGap  = 16 // spaces before a secret
	longestFlag = 40 // bytes of --application-key and the like
)

// hintOfSpace tells of the space behind a text.
func hintOfSpace(before string) hint {
	n := len(before)
	for least := max(0, n-longestGap); n > least && (before[n-1] == '\r' || before[n-1] == ' '); {
		n--
	}
	if n < 3 {
		return 0
	}
	switch before[n-1] | lower {
	case 'r', 'c', 'n', 'y', 'd':
		switch string([]byte{before[n-3] | lower, before[n-2] | lower, before[n-1] | lower}) {
		case "rer", "sic", "ken", "key":
			return hintAuthorization
		case "ord", " by":
			return hintSpoken
		}
	}
	return 0
}

// hintOfDash tells of the dash at i.
func hintOfDash(text string, i int) hint {
	rest := text[i+1:]
	if len(rest) < 2 {
		return 0
	}
	switch rest[0] {
	case 'h', 'U', '-':
		if strings.HasPrefix(rest, "home-") || strings.HasPrefix(rest, "Users-") || strings.HasPrefix(rest, "-Users-") {
			return hintHome
		}
	case 'u':
		if rest[1] == 's' && i >= 32 && wordByte[text[i-1]] {
			return hintMailchimp
		}
	}
	n := 0
	for n < min(len(rest), longestFlag) && (wordByte[rest[n]] || rest[n] == '-') {
		n++
	}
	var found hint
	switch rest[0] {
	case 'u', 'U', 'p', 'a', '-':
		if runsCommand(text[max(0, i-150):i]) {
			found = hintCommand
		}
	}
	if mayNameSecret(rest[:n]) {
		found |= ifNamed(rest[:n], hintSpoken)
	}
	return found
}

// runsCommand reports whether a text holds a command that is given a password.
func runsCommand(text string) bool {
	for _, name := range []string{"curl", "mysql", "mariadb", "sshpass", "redis-cli", "login"} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// hintOfWide tells of the byte at i, which is not of ASCII.
func hintOfWide(text string, i int) hint {
	rest := text[i:]
	if strings.HasPrefix(rest, wideColon) || strings.HasPrefix(rest, wideEqual) {
		return ifNamed(text[:i], hintPassword)
	}
	if rest[0] == wideColon[0] { // most are brackets and other signs
		r, _ := utf8.DecodeRuneInString(rest)
		if '０' <= r && r <= '９' || '＠' <= r && r <= 'Ｚ' || 'ａ' <= r && r <= 'ｚ' || r == '\uFEFF' {
			return hintDisguise
		}
		return 0
	}
	if i < 2 {
		return 0
	}
	switch text[i-2 : i+1] {
	case openBracket, topic, copula:
		return ifNamed(text[:i-2], hintPassword)
	}
	return 0
}

// mayNameSecret reports whether the last letters of text, but for quotes, are
// those of a name of a secret; most signs follow others.
func mayNameSecret(text string) bool {
	i := len(text) - 1
	for i > 0 && marksName[text[i]] {
		i--
	}
	if i < 1 {
		return false
	}
	return text[i] >= utf8.RuneSelf || // of another script
		namesByEnd[text[i]|lower].before&(1<<((text[i-1]|lower)%64)) != 0
}

// marksName are the bytes that may stand between a name and its sign.
var marksName = func() (is [256]bool) {
	for _, c := range []byte(behindName + "_-") {
		is[c] = true
	}
	return is
}()
