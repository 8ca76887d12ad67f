package ingest

import (
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
	parts   func(match string) [][2]int // the secrets within a match, in order; nil: it is one
}

// wordEdge is where a word begins, also behind an escape of JSON or the colour
// of a terminal: of `\nsk-` and `[33msk-` the n and the m are no letters of the key.
const wordEdge = `\b|\\[bfnrt]|\\u[0-9a-fA-F]{4}|\[[0-9;]{1,20}m|\x1b\[[0-9;?]{0,20}[A-Za-z]`

const wordStart = `(` + wordEdge + `)`

// credentials follow a scheme of RFC 9110, section 11.
const credentials = `(?:\s|\\[nrt])+([A-Za-z0-9._~+/=-]{8,})`

// secrets are replaced in this order: the more specific first.
var secrets = slices.Concat([]secret{
	{kind: "private_key", hint: hintPrivateKey,
		pattern: regexp.MustCompile(`-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}|$)`), replace: "[private_key]"},
	{kind: "private_key", hint: hintPrivateKey, // its beginning was cut off
		pattern: regexp.MustCompile(`(?:[A-Za-z0-9+/=\s]|\\[nr])*-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}`), replace: "[private_key]"},
	{kind: "private_key", hint: hintPrivateKey, // of PuTTY
		pattern: regexp.MustCompile(`(Private-Lines:\s*[0-9]+(?:\s|\\[nr])+)(?:[A-Za-z0-9+/=\s]|\\[nr])+?(Private-MAC|Private-Hash|$)`), replace: "$1[private_key]$2"},
	{kind: "api_key", hint: hintAPIKey, pattern: keyPattern, replace: "$1[api_key]"},
	{kind: "api_key", hint: hintBotToken, // of Telegram
		pattern: regexp.MustCompile(`[0-9]{8,12}:AA[A-Za-z0-9_-]{30,}`), replace: "[api_key]"},
	{kind: "api_key", hint: hintRefreshToken, // of Google
		pattern: regexp.MustCompile(wordStart + `1//0[A-Za-z0-9_-]{30,}`), replace: "$1[api_key]"},
	{kind: "api_key", hint: hintClientSecret, // of Azure
		pattern: regexp.MustCompile(`[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,}`), replace: "[api_key]"},
	{kind: "api_key", hint: hintClientSecret, // of Azure's AI services
		pattern: regexp.MustCompile(`[A-Za-z0-9]{20,}JQQJ99[A-Za-z0-9]{10,}`), replace: "[api_key]"},
	valued("api_key", "[api_key]", hintMailchimp, `\b([0-9a-f]{32}-us[0-9]{1,2})\b`, anyValue),
	{kind: "signature", hint: hintSignature,
		pattern: regexp.MustCompile(`(?i)` + wordStart + `((?:x-(?:amz|goog)-)?sig(?:nature)?=)[A-Za-z0-9%+/=_~-]{20,}`), replace: "$1$2[signature]"},
	{kind: "jwt", hint: hintJWT,
		pattern: regexp.MustCompile(wordStart + `eyJ[A-Za-z0-9_-]{8,}\.(?:[A-Za-z0-9_-]{8,}|\.[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+){0,2}`), replace: "$1[jwt]"}, // signed has three parts, encrypted five
	valued("authorization", "[authorization]", hintAuthorization, `(?i)authorization`+assigned+`\\*["']?(?:bearer|basic|token|apikey|api-key)`+credentials, anyValue),
	valued("authorization", "[authorization]", hintAuthorization, `(?i)authorization`+assigned+`\\*["']?(?:[a-z-]+\s+)?([A-Za-z0-9._~+/=:-]{16,})`, ifKey),
	valued("authorization", "[authorization]", hintAuthorization, `(?i)(?:`+wordEdge+`)(?:bearer|basic)`+credentials, ifNoWord),
	{kind: "url_password", hint: hintURL,
		pattern: regexp.MustCompile(`(://[^\s:/@]*):[^\s/]+@`), replace: "$1:[password]@"},
	valued("url_password", "[password]", hintURL, `://[^\s:/@?#]+:([^\s:/@"'<>\]][^\s@"'<>]*)@`, ifNoPort), // with signs that should be escaped
	valued("url_password", "[password]", hintURL, `://([^\s:/@?#"'<>\[\]]{16,})@`, ifLooks),                // a token in the place of the user
	valued("url_password", "[password]", hintEmail, `(?:jdbc:oracle:[a-z]+:|\bsqlplus\s(?:\S+\s)??)[^\s/@:]+/([^\s/@"']+)@`, anyValue),
	{kind: "cookie", hint: hintPassword,
		pattern: regexp.MustCompile(`(?i)(cookie\\*["']?\s*[=:]\s*\[?\s*\\*["']?)[^\s=;,:"'\\\[\]]+=(?:\\*"[^"\\]*\\*"|[^\s;,"'\\]+)(?:;\s*[^\s=;,:"'\\]+=(?:\\*"[^"\\]*\\*"|[^\s;,"'\\]*))*`), replace: "$1[cookie]"},
}, passwords, []secret{
	{kind: "email", hint: hintEmail,
		pattern: regexp.MustCompile(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b`), replace: "[email]"},
	valued("home", "[user]", hintHome, `\\Users\\+([^\s/\\:"'<>|,]+(?: [^\s/\\:"'<>|,]+){1,2})\\`, anyValue),
	valued("home", "[user]", hintHome, `(?:(?m:^)|[/\\"'=])-(?:home|Users)-([A-Za-z0-9_.]+)`, anyValue), // as Claude Code writes folders
	valued("home", "[user]", hintHome, `\b[A-Za-z]--Users-([A-Za-z0-9_.]+)`, anyValue),
	{kind: "home", hint: hintHome,
		pattern: regexp.MustCompile(`(/home/|/Users/|\\Users\\+)[^\s/\\:"'<>|]+`), replace: "${1}[user]"},
	{kind: "card", hint: hintCard, parts: cardsIn,
		pattern: regexp.MustCompile(`(?:\b|\\[bfnrt])\d{4,19}(?:[ -]\d{1,19})*\b`), replace: "[card]"},
})

// ifKey refuses words, and the scheme of AWS, which looks like a key.
func ifKey(value string, _ bool) bool {
	plain := strings.NewReplacer("/", "", ":", "").Replace(value)
	return strings.ContainsAny(plain, "0123456789") && looksSecret(plain) && !strings.HasPrefix(value, "AWS4-")
}

// ifNoWord refuses "basic authentication".
func ifNoWord(value string, _ bool) bool { return !plainWord.MatchString(value) }

var plainWord = regexp.MustCompile(`^[A-Za-z][a-z]+(?:[.-][a-z]+)*[.]?$`)

// ifNoPort refuses http://host:8080/~jo@x.
func ifNoPort(value string, _ bool) bool { return !portFirst.MatchString(value) }

var portFirst = regexp.MustCompile(`^[0-9]{1,5}(?:[/?#]|$)`)
