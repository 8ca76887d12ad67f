package ingest

import "regexp"

// assigned is what parts a name from its value: password=, "password":,
// :password=>, ['password'] =.
const assigned = `\\*["']?\]?\s*[=:：＝]{1,2}>?\s*`

// valueIn matches a value, its inside as a group: in quotes of any kind, which
// may be escaped, or cut off behind the opening one; else bare, which is the
// last group.
func valueIn(bare string) string {
	return `(?:(?:\\*"){3}([^"\\]{4,})(?:\\*"){3}|'{3}([^']{4,})'{3}` +
		`|\\+"((?:[^"\\]|\\+[^"\\]){4,})\\*"|"((?:[^"\\]|\\[\s\S]){4,})"` +
		`|\\+'((?:[^'\\]|\\+[^'\\]){4,})\\*'|'((?:[^'\\]|\\[\s\S]){4,})'` +
		`|\x60([^\x60]{4,})\x60|「([^」]{2,})」|『([^』]{2,})』|“([^”]{4,})”` +
		`|\\*["'\x60]([^\s"'\x60\\]{4,})$|(` + bare + `))`
}

// What stands bare: behind an English name, behind a foreign one (the text goes
// on in another script), on a command line.
const (
	bareValue   = `[^\s"'\x60\[&,;{}<>]{6,}`
	bareForeign = `[!#-&(-+\--:=?-Z\\\]-_a-z|~]{3,}`
	bareWord    = `[^\s"'\x60\-,;|][^\s"'\x60,;|]{3,}`
)

// valued makes a secret of which only the groups of an expression are replaced,
// by mark, if accept agrees: bare tells that the group is the last one.
func valued(kind, mark string, hint hint, expression string, accept func(value string, bare bool) bool) secret {
	pattern := regexp.MustCompile(expression)
	last := pattern.NumSubexp()
	return secret{kind: kind, hint: hint, pattern: pattern, replace: mark, parts: func(match string) [][2]int {
		at := pattern.FindStringSubmatchIndex(match)
		for g := 1; g <= last && at != nil; g++ {
			if from, to := at[2*g], at[2*g+1]; from >= 0 && accept(match[from:to], g == last) {
				return [][2]int{{from, to}}
			}
		}
		return nil
	}}
}

// What a value must be, by what stands before it.
func anyValue(string, bool) bool            { return true }
func ifNoVerdict(value string, _ bool) bool { return noVerdict(value) }
func ifLooks(value string, _ bool) bool     { return looksSecret(value) }
func ifBareLooks(value string, bare bool) bool {
	return noVerdict(value) && (!bare || looksSecret(value))
}

// ifNoCall refuses what a program does: token = strings.Trim(
func ifNoCall(value string, bare bool) bool {
	return noVerdict(value) && (!bare || !invoked.MatchString(value))
}

var invoked = regexp.MustCompile(`^[A-Za-z_]+(?:\.[A-Za-z_]+)*\(`)

// passwords are found by the name before them.
var passwords = []secret{
	valued("password", "[password]", hintPassword, `(?:パスワード|暗証番号|秘密鍵|APIキー|アクセスキー|シークレット|密码|密碼|口令|密钥|密鑰)`+assigned+valueIn(bareForeign), ifForeign),
	valued("password", "[password]", hintPassword, `(?:パスワード|暗証番号|秘密鍵|APIキー|アクセスキー|シークレット|密码|密碼|口令|密钥|密鑰)(?:は|是)?\s*「([^」]{2,})」`, ifNoVerdict),
	valued("password", "[password]", hintPassword, `(?:パスワード|暗証番号|秘密鍵|キー|シークレット|トークン|密码|密碼|口令|密钥|密鑰|令牌)(?:は|是)\s*([!#$%&*+./0-9:=?@A-Z^_a-z|~-]{6,})`, ifLooks),
	valued("password", "[password]", hintPassword, `(?i)(?:`+secretNamed+`|トークン|令牌)`+assigned+valueIn(bareValue), ifNoCall),
	valued("password", "[password]", hintPassword, `(?i)(?:`+vaguelyNamed+`|\b(?:api|access|auth|secret) key)`+assigned+valueIn(bareValue), ifLooks),
	valued("password", "[password]", hintPassword, `(?i)\b(?:otp|pin)`+assigned+`\\*["']?([0-9]{4,8})\b`, anyValue),
	valued("password", "[password]", hintTag, `(?i)<[\w.:-]*`+secretNamed+`(?:\s[^<>]*)?>\s*([^<>\s](?:[^<>]*[^<>\s])?)\s*</[\w.:-]*`+secretNamed+`>`, ifNoVerdict),
	valued("password", "[password]", hintTag, `(?i)<(?:[\w.-]*[:._-])?(?:pass|pin|otp)(?:\s[^<>]*)?>\s*([^<>\s]+)\s*</`, ifLooks),
	valued("password", "[password]", hintSpoken, `(?i)(?:^|[\s"'\x60(\[,])--?(?:[a-z0-9-]*`+secretNamed+`|(?:[a-z0-9-]*-)?(?:pass|pin|otp))\\*["']?(?:\s+|\s*,\s*)`+valueIn(bareWord), ifBareLooks),
	valued("password", "[password]", hintSpoken, `(?i)\b(?:machine\s+\S+|default)\s+login\s+\S+\s+(?:account\s+\S+\s+)?password\s+([^\s"'\\]+)`, anyValue),
	valued("password", "[password]", hintSpoken, `(?i)\b(?:(?:with|set|encrypted|login)\s+password|identified\s+by)\s+'((?:[^'\\]|\\[\s\S]){4,})'`, ifNoVerdict),
	valued("password", "[password]", hintCommand, `\bcurl\b[^\n|;]{0,99}?\s(?:-[uU]\s*|--(?:proxy-)?user[\s=]+)\\*["']?[^\s:"'/]+:([^\s"'\\]+)`, anyValue),
	valued("password", "[password]", hintCommand, `\b(?:mysql|mariadb)[a-z-]*\s(?:[^\n|;]{0,99}?\s)??-p(?:\\*"([^"\\]+)\\*"|'([^']+)'|([^\s"'\\]+))`, anyValue),
	valued("password", "[password]", hintCommand, `\b(?:sshpass|redis-cli|(?:docker|podman|helm|oc|az)\s[a-z ]{0,20}login)\s(?:[^\n|;]{0,99}?\s)??-[pa]\s*(?:\\*"([^"\\]+)\\*"|'([^']+)'|([^\s"'\\]+))`, anyValue),
	valued("password", "[password]", hintPassword, `:(?:5432|\*):[^\s:]+:[^\s:]+:([^\s"'\\]+)`, ifLooks), // of .pgpass
	valued("password", "[password]", hintHash, `(\$(?:[156y7]|2[abxy]?|gy|apr1|argon2(?:i|d|id)|scrypt|pbkdf2(?:-sha[0-9]+)?)\$[A-Za-z0-9./$=,+]{20,})`, anyValue),
	valued("api_key", "[api_key]", hintPassword, `[?&]key=([A-Za-z0-9_-]{16,})`, ifLooks),
	valued("private_key", "[private_key]", hintJWK, `\\*"(?:d|k|p|q|dp|dq|qi)\\*"\s*:\s*\\*"([A-Za-z0-9_-]{20,})`, anyValue),
}

// ifForeign refuses the one verdict that stands in ASCII as often.
func ifForeign(value string, _ bool) bool {
	return noVerdict(value) || value != "" && value[0] >= '0' && value[0] <= '9'
}
