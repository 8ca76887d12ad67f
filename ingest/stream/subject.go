package stream

import "strings"

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

// Token makes any text one token of a subject: bytes outside A-Za-z0-9_- are
// percent-escaped, since NATS gives a meaning to dots, stars, arrows and spaces.
// The empty text becomes "_".
func Token(text string) string {
	if text == "" {
		return "_"
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func plain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
