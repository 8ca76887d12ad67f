package ingest

import (
	"errors"
	"regexp"
	"strings"
)

// A secret is a kind of text that must not reach the store.
type secret struct {
	kind    string
	needles []string               // one of them stands in every match; looked for first, since most texts hold none
	maybe   func(text string) bool // asked instead where there are no needles
	pattern *regexp.Regexp
	replace string
	accept  func(match string) bool // nil: every match
}

// secrets are replaced in this order: the more specific first.
var secrets = []secret{
	{kind: "private_key", needles: []string{"PRIVATE KEY"},
		pattern: regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), replace: "[private_key]"},
	{kind: "private_key", needles: []string{"PRIVATE KEY"}, // its beginning was cut off
		pattern: regexp.MustCompile(`[A-Za-z0-9+/=\s]*-----END [A-Z ]*PRIVATE KEY-----`), replace: "[private_key]"},
	{kind: "api_key", needles: []string{"sk-", "sk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AIza", "AKIA", "ASIA", "hf_", "npm_", "pypi-", "ya29.", "SG.", "r8_", "gsk_", "xai-", "tvly-", "pplx-", "dop_v1_"},
		pattern: regexp.MustCompile(`\b(?:sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|r8_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|tvly-[A-Za-z0-9-]{16,}|pplx-[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{20,})`), replace: "[api_key]"},
	{kind: "jwt", needles: []string{"eyJ"},
		pattern: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), replace: "[jwt]"},
	{kind: "authorization", needles: []string{"earer ", "asic ", "EARER ", "ASIC ", "uthorization", "UTHORIZATION"},
		pattern: regexp.MustCompile(`(?i)\b(bearer|basic|authorization\\?["']?\s*[:=]\s*\\?["']?(?:token|apikey|api-key)) +[A-Za-z0-9._~+/=-]{8,}`), replace: "$1 [authorization]"},
	{kind: "url_password", needles: []string{"://"},
		pattern: regexp.MustCompile(`(://[^\s:/@]*):[^\s/]+@`), replace: "$1:[password]@"},
	{kind: "password", maybe: assignsSecret, accept: noCount,
		pattern: regexp.MustCompile(`(?i)([A-Za-z0-9_-]*(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|secret[_-]?key|token)\\?["']?\s*[=:]\s*)(\\?"[^"]{4,}"|\\?'[^']{4,}'|[^\s"'\[&,;{}<>]{6,})`), replace: "$1[password]"},
	{kind: "email", needles: []string{"@"},
		pattern: regexp.MustCompile(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b`), replace: "[email]"},
	{kind: "home", needles: []string{"/home/", "/Users/", `\Users\`},
		pattern: regexp.MustCompile(`(/home/|/Users/|\\Users\\{1,2})[^\s/\\:"'<>|]+`), replace: "${1}[user]"},
	{kind: "card", maybe: manyDigits,
		pattern: regexp.MustCompile(`\b[3-6]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}\b`), replace: "[card]", accept: luhn},
}

// Scrub replaces the secrets in every text of e and returns how many it found.
// Names that join events (id, incident, session, agent) are left alone: an
// agent that puts a secret there has made it a key of its own books.
func (e *Event) Scrub() int {
	found := 0
	for _, text := range []*string{&e.Message, &e.Detail, &e.Operation, &e.Step, &e.Component, &e.ArgsHash, &e.Code, &e.Status, &e.Resolution, &e.ScoreName, &e.Provider, &e.Model, &e.TraceID} {
		found += scrub(text)
	}
	for key, value := range e.Attrs {
		if namesSecret(key) && value != "" {
			e.Attrs[key], found = "[password]", found+1
			continue
		}
		if n := scrub(&value); n > 0 {
			e.Attrs[key], found = value, found+n
		}
	}
	return found
}

// Scrub replaces the secrets in bad input and in the reason, which quotes it.
func (r *Record) Scrub() {
	r.Raw = []byte(ScrubText(string(r.Raw)))
	r.Err = errors.New(ScrubText(r.Err.Error()))
}

// ScrubText returns text with its secrets replaced.
func ScrubText(text string) string {
	scrub(&text)
	return text
}

func scrub(text *string) int {
	if *text == "" {
		return 0
	}
	found := 0
	for i := range secrets {
		s := &secrets[i]
		if !s.possible(*text) {
			continue
		}
		*text = s.pattern.ReplaceAllStringFunc(*text, func(match string) string {
			if s.accept != nil && !s.accept(match) {
				return match
			}
			found++
			return s.pattern.ReplaceAllString(match, s.replace)
		})
	}
	return found
}

func (s *secret) possible(text string) bool {
	if s.maybe != nil {
		return s.maybe(text)
	}
	for _, needle := range s.needles {
		if strings.Contains(text, needle) {
			return true
		}
	}
	return false
}

// noCount leaves numbers alone: "token: 128000" is a count.
func noCount(match string) bool {
	_, value, _ := strings.Cut(strings.NewReplacer("=", ":", `"`, "", "'", "", `\`, "").Replace(match), ":")
	return strings.Trim(value, " 0123456789.") != ""
}

// secretNames end the names of variables and members that hold a secret, in
// lower case and without their separators.
var secretNames = []string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey"}

// assignsSecret reports whether text gives a value to a name that looks like
// a secret's, so that the pattern is worth running.
func assignsSecret(text string) bool {
	for i := 1; i < len(text); i++ {
		if (text[i] == '=' || text[i] == ':') && namesSecret(text[:i]) {
			return true
		}
	}
	return false
}

// namesSecret reports whether text ends with the name of a secret.
func namesSecret(text string) bool {
	const longest = 10 // bytes of passphrase
	var name [longest]byte
	n := longest
	for i := len(text) - 1; i >= 0 && n > 0; i-- {
		c := text[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '_' || c == '-' || n == longest && (c == '"' || c == '\'' || c == ' ' || c == '\\'):
			continue
		case c < 'a' || c > 'z':
			i = 0 // the name begins behind it
			continue
		}
		n--
		name[n] = c
	}
	for _, secret := range secretNames {
		if strings.HasSuffix(string(name[n:]), secret) {
			return true
		}
	}
	return false
}

// leastDigits is the length of the shortest card number in use.
const leastDigits = 13

func manyDigits(text string) bool {
	n := 0
	for i := range len(text) {
		if '0' <= text[i] && text[i] <= '9' {
			n++
		}
	}
	return n >= leastDigits
}

// luhn reports whether the digits of a number carry the check digit of payment
// cards (ISO/IEC 7812-1, annex B), of which 13 to 19 digits are in use.
func luhn(number string) bool {
	sum, digits := 0, 0
	for i := len(number) - 1; i >= 0; i-- {
		if number[i] < '0' || number[i] > '9' {
			continue
		}
		d := int(number[i] - '0')
		if digits%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
		digits++
	}
	return digits >= leastDigits && digits <= 19 && sum%10 == 0
}
