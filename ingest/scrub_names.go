package ingest

import (
	"strings"
	"unicode/utf8"
)

// secretNames end the names of variables and members that hold a secret, in
// lower case and without their separators.
var secretNames = []string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "accesskey", "secretkey", "cookie"}

// foreignNames are the same in Japanese and Chinese.
var foreignNames = []string{
	"パスワード", "暗証番号", "秘密鍵", "キー", "シークレット", "トークン",
	"密码", "密碼", "口令", "密钥", "密鑰", "令牌",
}

// namesSecret reports whether text ends with the name of a secret.
func namesSecret(text string) bool {
	text = strings.TrimRight(text, "\"' \\\t\n\f\r")
	if n := len(text); n > 0 && text[n-1] >= utf8.RuneSelf {
		return endsIn(text, foreignNames)
	}
	const longest = 10 // bytes of passphrase
	var name [longest]byte
	n := longest
	for i := len(text) - 1; i >= 0 && n > 0; i-- {
		c := text[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '_' || c == '-':
			continue
		case c < 'a' || c > 'z':
			i = 0 // the name begins behind it
			continue
		}
		n--
		name[n] = c
	}
	return endsIn(string(name[n:]), secretNames)
}

func endsIn(text string, names []string) bool {
	for _, name := range names {
		if strings.HasSuffix(text, name) {
			return true
		}
	}
	return false
}
