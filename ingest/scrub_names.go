package ingest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// secretNames end the names of variables and members that hold a secret, in
// lower case; _ stands where one may be.
var secretNames = []string{
	"password", "passwd", "passw0rd", "passphrase", "passcode", "pwd", "secret", "token",
	"api_key", "access_key", "secret_key", "account_key", "application_key", "app_key", "auth_key", "encryption_key", "license_key", "master_key", "preshared_key", "private_key", "signing_key", "subscription_key", "functions_key",
	"admin_pass", "db_pass", "ftp_pass", "key_pass", "ldap_pass", "mail_pass", "mongo_pass", "mysql_pass", "pg_pass", "postgres_pass", "proxy_pass", "redis_pass", "root_pass", "smtp_pass", "ssh_pass", "store_pass", "sudo_pass", "user_pass",
}

// vagueNames are names of secrets and of other things too: what they hold is a
// secret if it looks like one.
var vagueNames = []string{"pass", "pin", "otp", "auth", "bearer", "cred", "creds", "credential", "credentials", "psk"}

// foreignNames are names of secrets in Japanese and Chinese.
var foreignNames = []string{
	"パスワード", "暗証番号", "秘密鍵", "キー", "シークレット", "トークン",
	"密码", "密碼", "口令", "密钥", "密鑰", "令牌",
}

// namesOn are the names that end in one letter.
type namesOn struct {
	sure, vague []string
	before      uint64 // a bit for each letter before the last one
}

// namesByEnd holds the names as namesSecret reads them. What a cookie is needs
// a pattern of its own.
var namesByEnd = func() (of [256]namesOn) {
	for _, name := range append([]string{"cookie"}, secretNames...) {
		e := &of[name[len(name)-1]]
		e.sure = append(e.sure, strings.ReplaceAll(name, "_", ""))
		e.before |= 1 << (name[len(name)-2] % 64)
	}
	for _, name := range vagueNames {
		e := &of[name[len(name)-1]]
		e.vague = append(e.vague, name)
		e.before |= 1 << (name[len(name)-2] % 64)
	}
	return of
}()

// secretNamed matches one of the names.
var secretNamed = `(?:` + strings.ReplaceAll(strings.Join(secretNames, "|"), "_", "[_-]?") + `)`

// vaguelyNamed matches one of the vague names, as a whole word.
var vaguelyNamed = `(?:\b|_)(?:` + strings.Join(vagueNames, "|") + `)`

// behindName are the bytes that may stand between a name and what parts it
// from its value.
const behindName = "\"'] \\\t\n\f\r"

// namesSecret reports whether text ends with the name of a secret; vague tells
// that it may be that of something else.
func namesSecret(text string) (is, vague bool) {
	text = strings.TrimRight(text, behindName)
	if n := len(text); n > 0 && text[n-1] >= utf8.RuneSelf {
		return endsIn(text, foreignNames), false
	}
	const longest = 15 // bytes of subscriptionkey
	var name [longest]byte
	n := longest
	for i := len(text) - 1; i >= 0 && n > 0; i-- {
		c := text[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '_' || c == '-' || c == ' ':
			continue
		case (c < 'a' || c > 'z') && c != '0': // passw0rd
			i = 0 // the name begins behind it
			continue
		}
		n--
		name[n] = c
	}
	if n == longest {
		return false, false
	}
	ends := &namesByEnd[name[longest-1]]
	if endsIn(string(name[n:]), ends.sure) {
		return true, false
	}
	vague = endsIn(string(name[n:]), ends.vague)
	return vague, vague
}

// hides reports whether a value is a secret because of its name.
func hides(name, value string) bool {
	if namesAuthorization(name) {
		return len(value) >= leastCredentials && !plainWord.MatchString(value)
	}
	is, vague := namesSecret(name)
	return is && value != "" && (!vague || looksSecret(value))
}

// leastCredentials is the length of the shortest credentials of a header that are
// hidden whatever they look like.
const leastCredentials = 16

func endsIn(text string, names []string) bool {
	for _, name := range names {
		if strings.HasSuffix(text, name) {
			return true
		}
	}
	return false
}

// verdicts are what is said of a secret where it could stand itself.
var verdicts = []string{
	"missing", "invalid", "required", "incorrect", "expired", "rejected", "revoked", "undefined", "unknown", "disabled", "enabled", "optional",
	"command", "permission", "authentication", // what shells and passwd(1) go on with: not found, denied, token manipulation error
	"必須", "無効", "不正", "未設定",
}

// noVerdict reports whether a value is a secret, other than a count ("token:
// 128000"), signs alone and what is said of one ("token: expired").
func noVerdict(value string) bool {
	return strings.Trim(value, " 0123456789.,:;[]{}\t\r\n") != "" && !slices.Contains(verdicts, strings.ToLower(strings.TrimRight(value, ".,!。")))
}

// leastSecret is the length of the shortest secret that shows by its letters.
const leastSecret = 6

// looksSecret reports whether a value is no word and no number: it holds
// letters, and two others among digits, capitals within and signs of passwords.
func looksSecret(value string) bool {
	letters, odd := 0, 0
	for i := range len(value) {
		switch c := value[i]; {
		case 'a' <= c && c <= 'z':
			letters++
		case 'A' <= c && c <= 'Z':
			letters++
			if i > 0 && 'a' <= value[i-1] && value[i-1] <= 'z' {
				odd++
			}
		case '0' <= c && c <= '9', strings.IndexByte("!@#$^*", c) >= 0:
			odd++
		case strings.IndexByte("=+_.~%-", c) < 0:
			return false // a path, an address, words
		}
	}
	return len(value) >= leastSecret && letters > 0 && odd > 1 && noVerdict(value)
}

// namesSignature reports whether text ends with the name of the signature of an
// address, which opens it to whoever has it: sig of Azure, X-Amz-Signature,
// X-Goog-Signature, Signature of CloudFront.
func namesSignature(text string) bool {
	const short, long = "sig", "signature"
	n := len(text)
	return n >= len(short) && (text[n-1]|lower == 'g' && strings.EqualFold(text[n-len(short):], short) ||
		text[n-1]|lower == 'e' && n >= len(long) && strings.EqualFold(text[n-len(long):], long))
}
