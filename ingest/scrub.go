package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strings"
)

// A secret is a kind of text that must not reach the store.
type secret struct {
	kind    string
	hint    hint // what every text with a match shows
	pattern *regexp.Regexp
	replace string
	accept  func(match string) bool     // nil: every match
	parts   func(match string) [][2]int // the secrets within a match, in order; nil: it is one
}

// wordStart is where a word begins, also behind an escape of JSON: of `\nsk-`
// the n is no letter of the key.
const wordStart = `(\b|\\[bfnrt]|\\u[0-9a-fA-F]{4})`

// secrets are replaced in this order: the more specific first.
var secrets = []secret{
	{kind: "private_key", hint: hintPrivateKey,
		pattern: regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`), replace: "[private_key]"},
	{kind: "private_key", hint: hintPrivateKey, // its beginning was cut off
		pattern: regexp.MustCompile(`[A-Za-z0-9+/=\s]*-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----`), replace: "[private_key]"},
	{kind: "api_key", hint: hintAPIKey, pattern: keyPattern, replace: "$1[api_key]"},
	{kind: "api_key", hint: hintBotToken, // of Telegram
		pattern: regexp.MustCompile(`[0-9]{8,12}:AA[A-Za-z0-9_-]{30,}`), replace: "[api_key]"},
	{kind: "api_key", hint: hintRefreshToken, // of Google
		pattern: regexp.MustCompile(wordStart + `1//0[A-Za-z0-9_-]{30,}`), replace: "$1[api_key]"},
	{kind: "api_key", hint: hintClientSecret, // of Azure
		pattern: regexp.MustCompile(`[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,}`), replace: "[api_key]"},
	{kind: "signature", hint: hintSignature,
		pattern: regexp.MustCompile(`(?i)` + wordStart + `((?:x-(?:amz|goog)-)?sig(?:nature)?=)[A-Za-z0-9%+/=_~-]{20,}`), replace: "$1$2[signature]"},
	{kind: "jwt", hint: hintJWT,
		pattern: regexp.MustCompile(wordStart + `eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), replace: "$1[jwt]"},
	{kind: "authorization", hint: hintAuthorization,
		pattern: regexp.MustCompile(`(?i)` + wordStart + `(bearer|basic|authorization\\?["']?\s*[:=]\s*\\?["']?(?:token|apikey|api-key)) +[A-Za-z0-9._~+/=-]{8,}`), replace: "$1$2 [authorization]"},
	{kind: "url_password", hint: hintURL,
		pattern: regexp.MustCompile(`(://[^\s:/@]*):[^\s/]+@`), replace: "$1:[password]@"},
	{kind: "cookie", hint: hintPassword,
		pattern: regexp.MustCompile(`(?i)(cookie\\?["']?\s*[=:]\s*\[?\s*\\?["']?)[^\s=;,:"'\\\[\]]+=(?:\\?"[^"\\]*\\?"|[^\s;,"'\\]+)(?:;\s*[^\s=;,:"'\\]+=(?:\\?"[^"\\]*\\?"|[^\s;,"'\\]*))*`), replace: "$1[cookie]"},
	{kind: "password", hint: hintPassword,
		pattern: regexp.MustCompile(`((?:パスワード|暗証番号|秘密鍵|APIキー|アクセスキー|シークレット|密码|密碼|口令|密钥|密鑰)\\?["']?\s*[=:：＝]\s*)(\\?"[^"]{3,}"|\\?'[^']{3,}'|「[^」]{2,}」|[!#-&(-+\--:=?-Z\\\]-z|~]{3,})`), replace: "$1[password]"},
	{kind: "password", hint: hintPassword, accept: noCount,
		pattern: regexp.MustCompile(`(?i)([A-Za-z0-9_-]*(?:password|passwd|passphrase|pwd|secret|(?:api|access|secret|account|application|app|auth|encryption|license|master|private|signing)[_-]?key|token|トークン|令牌)\\?["']?\s*[=:：＝]\s*)(\\?"[^"]{4,}"|\\?'[^']{4,}'|[^\s"'\[&,;{}<>]{6,})`), replace: "$1[password]"},
	{kind: "email", hint: hintEmail,
		pattern: regexp.MustCompile(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b`), replace: "[email]"},
	{kind: "home", hint: hintHome,
		pattern: regexp.MustCompile(`(/home/|/Users/|\\Users\\{1,2})[^\s/\\:"'<>|]+`), replace: "${1}[user]"},
	{kind: "card", hint: hintCard, accept: holdsCard, parts: cardsIn,
		pattern: regexp.MustCompile(`(?:\b|\\[bfnrt])\d{4,19}(?:[ -]\d{1,19})*\b`), replace: "[card]"},
}

// SecretKinds lists the kinds of secrets that Scrub finds.
func SecretKinds() []string {
	var kinds []string
	for i := range secrets {
		if kind := secrets[i].kind; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Scrub replaces the secrets in every text of e and returns how many it found.
// In the names that join events (id, incident, session, agent) a hash stands
// for a secret, so that what was one stays one and what was two stays two.
func (e *Event) Scrub() int { return e.ScrubInto(nil) }

// ScrubInto is Scrub, and adds what it found by kind to counts unless that is nil.
func (e *Event) ScrubInto(counts map[string]int) int {
	found, folder := 0, homeFolder(e.Operation)
	for _, text := range []*string{&e.Message, &e.Detail, &e.Operation, &e.Step, &e.Component, &e.ArgsHash, &e.Code, &e.Status, &e.Resolution, &e.ScoreName, &e.Provider, &e.Model, &e.TraceID, &e.Source} {
		found += scrub(text, counts, false)
	}
	if folder {
		e.Operation = strings.TrimPrefix(e.Operation, "/")
	}
	for _, name := range []*string{&e.ID, &e.Incident, &e.Session, &e.Agent} {
		found += scrub(name, counts, true)
	}
	for key, value := range e.Attrs {
		if namesSecret(key) && value != "" {
			value = "[password]"
			e.Attrs[key], found = value, found+1
			note(counts, "password")
		} else if n := scrub(&value, counts, false); n > 0 {
			e.Attrs[key], found = value, found+n
		}
		plain := key
		if n := scrub(&plain, counts, true); n > 0 {
			delete(e.Attrs, key)
			e.Attrs[plain], found = value, found+n
		}
	}
	return found
}

// homeFolder reports whether an operation is named by a path below a home
// folder: its leading slash is what tells.
func homeFolder(operation string) bool {
	return strings.HasPrefix(operation, "/home/") || strings.HasPrefix(operation, "/Users/")
}

func note(counts map[string]int, kind string) {
	if counts != nil {
		counts[kind]++
	}
}

// Scrub replaces the secrets in bad input, in its place and in the reason,
// which quotes it.
func (r *Record) Scrub() { r.ScrubInto(nil) }

// ScrubInto is Scrub, and adds what it found by kind to counts unless that is nil.
func (r *Record) ScrubInto(counts map[string]int) {
	raw, reason := string(r.Raw), r.Err.Error()
	scrub(&raw, counts, false)
	scrub(&reason, nil, false) // the same ones again
	scrub(&r.Position, counts, false)
	r.Raw, r.Err = []byte(raw), errors.New(reason)
}

// ScrubText returns text with its secrets replaced.
func ScrubText(text string) string {
	scrub(&text, nil, false)
	return text
}

// scrub replaces the secrets in text; with hashed, by what tells them apart.
func scrub(text *string, counts map[string]int, hashed bool) int {
	shown := hintsOf(*text)
	if shown == 0 {
		return 0 // most texts
	}
	found := 0
	for i := range secrets {
		s := &secrets[i]
		if shown&s.hint == 0 {
			continue
		}
		*text = s.pattern.ReplaceAllStringFunc(*text, func(match string) string {
			if s.accept != nil && !s.accept(match) {
				return match
			}
			hide := func(secret, plain string) string {
				found++
				note(counts, s.kind)
				if hashed {
					sum := sha256.Sum256([]byte(secret))
					plain = strings.Replace(plain, "]", "-"+hex.EncodeToString(sum[:8])+"]", 1)
				}
				return plain
			}
			if s.parts == nil {
				return hide(match, s.pattern.ReplaceAllString(match, s.replace))
			}
			plain, at := "", 0
			for _, part := range s.parts(match) {
				plain += match[at:part[0]] + hide(match[part[0]:part[1]], s.replace)
				at = part[1]
			}
			return plain + match[at:]
		})
	}
	return found
}

// noCount leaves numbers alone: "token: 128000" is a count.
func noCount(match string) bool {
	_, value, _ := strings.Cut(strings.NewReplacer("=", ":", "：", ":", "＝", ":", `"`, "", "'", "", `\`, "").Replace(match), ":")
	return strings.Trim(value, " 0123456789.") != ""
}
