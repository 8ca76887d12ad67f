package ingest

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// scrubJSON replaces the secrets in the strings of one JSON value, as what they
// mean, not as they are written; what holds none stays byte for byte. It
// returns false for what is not JSON.
func scrubJSON(raw []byte, counts map[string]int) (string, bool) {
	if !jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true)) {
		return "", false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true))
	var out []byte
	names := []string{""} // of the member that is read, by depth
	for at := 0; ; {
		depth := dec.StackDepth()
		for len(names) <= depth+1 {
			names = append(names, "")
		}
		in, read := dec.StackIndex(depth)
		kind := dec.PeekKind()
		switch kind {
		case '{', '[':
			names[depth+1] = names[depth] // of a list, until a member has its own
			fallthrough
		case '}', ']', 'n', 't', 'f':
			if _, err := dec.ReadToken(); err != nil {
				return "", false
			}
			continue
		}
		value, err := dec.ReadValue()
		if errors.Is(err, io.EOF) {
			return string(append(out, raw[at:]...)), true
		}
		if err != nil {
			return "", false
		}
		end := int(dec.InputOffset())
		text := string(value)
		if kind == '"' {
			unquoted, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return "", false
			}
			text = string(unquoted)
		}
		isName := in == '{' && read%2 == 0
		if isName {
			names[depth] = text
		}
		if plain, n := scrubValue(text, names[depth], isName, counts); n > 0 {
			out = append(append(out, raw[at:end-len(value)]...), AppendQuote(nil, plain)...)
			at = end
		}
	}
}

// scrubValue replaces the secrets in a string or a number of JSON, which is the
// value of a member or its name.
func scrubValue(text, name string, isName bool, counts map[string]int) (string, int) {
	if !isName && hides(name, text) && text != "[password]" {
		note(counts, "password")
		return "[password]", 1
	}
	n := scrub(&text, counts, isName)
	return text, n
}
