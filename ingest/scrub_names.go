package ingest

import (
	"strings"
	"unicode/utf8"
)

// secretNames end the names of variables and members that hold a secret, in
// lower case and without their separators.
var secretNames = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "token", "cookie",
	"apikey", "accesskey", "secretkey", "accountkey", "applicationkey", "appkey", "authkey", "encryptionkey", "licensekey", "masterkey", "privatekey", "signingkey",
}

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
	const longest = 14 // bytes of applicationkey
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

// namesSignature reports whether text ends with the name of the signature of an
// address, which opens it to whoever has it: sig of Azure, X-Amz-Signature,
// X-Goog-Signature, Signature of CloudFront.
func namesSignature(text string) bool {
	const short, long = "sig", "signature"
	n := len(text)
	return n >= len(short) && (text[n-1]|lower == 'g' && strings.EqualFold(text[n-len(short):], short) ||
		text[n-1]|lower == 'e' && n >= len(long) && strings.EqualFold(text[n-len(long):], long))
}
