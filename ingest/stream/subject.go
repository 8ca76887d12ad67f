package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Subjects of the streams.
const (
	eventSubjects      = "hansei.v1.event.>"
	quarantineSubjects = "hansei.v1.quarantine.>"
)

// EventSubject is where agent publishes its events.
func EventSubject(agent string) string { return "hansei.v1.event." + Token(agent) }

// QuarantineSubject is where bad input of a source goes.
func QuarantineSubject(source string) string { return "hansei.v1.quarantine." + Token(source) }

// TaggedSubject is where a stored failure is announced with its tags.
func TaggedSubject(taxonomy, category, agent string) string {
	return "hansei.v1.tagged." + Token(taxonomy) + "." + Token(category) + "." + Token(agent)
}

// SignalSubject is where a session is told what to do about a failure.
func SignalSubject(agent, session string) string {
	return "hansei.v1.signal." + Token(agent) + "." + Token(session)
}

// maxToken bounds a token: NATS refuses a control line over 4 KiB, and a
// subject here has up to three tokens of foreign text.
const maxToken = 1 << 10

// Token makes any text one token of a subject: bytes outside A-Za-z0-9_- are
// percent-escaped, since NATS gives a meaning to dots, stars, arrows and spaces.
// The empty text becomes "_"; of a text whose token would be over 1 KiB, the
// beginning is kept and a hash of the whole.
func Token(text string) string {
	token := escape(text)
	if len(token) <= maxToken {
		return token
	}
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:8])
	return token[:maxToken-len(hash)-1] + "-" + hash
}

func escape(text string) string {
	if text == "" {
		return "_"
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func plain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
