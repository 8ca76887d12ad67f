package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sloppy is how JSON of others is read: as it stands, with names twice and bytes that are no UTF-8.
var sloppy = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// A loose field takes any JSON value as text: agents change the types of their
// fields between versions. Null is empty, lists and objects are their JSON.
type loose string

// UnmarshalJSONFrom takes any value.
func (l *loose) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*l = textOfValue(value)
	return nil
}

func textOfValue(value jsontext.Value) loose {
	switch value.Kind() {
	case 'n':
		return ""
	case '"':
		text, _ := jsontext.AppendUnquote(nil, value) // its only error is invalid UTF-8, which it has replaced
		return loose(text)
	}
	return loose(value)
}

// A maybe field is absent when its value is not of the form of T.
type maybe[T any] struct{ V T }

// UnmarshalJSONFrom takes any value.
func (m *maybe[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var v T
	if json.Unmarshal(value, &v, sloppy) == nil {
		m.V = v
	}
	return nil
}

// number is the field as a whole number, if it is one.
func (l loose) number() Opt[int64] { return whole(string(l)) }

// yes reports whether the field says so.
func (l loose) yes() bool { return truth(string(l)) }

// object decodes the field into v where it holds an object; fields of other
// types than expected are absent.
func (l loose) object(v any) bool {
	return strings.HasPrefix(strings.TrimSpace(string(l)), "{") && fill([]byte(l), v) == nil
}

// fill decodes an object into v, whose fields are loose or maybe.
func fill(value []byte, v any) error {
	if !bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
		return errors.New("not a record: it is a JSON object")
	}
	if err := json.Unmarshal(value, v, sloppy); err != nil {
		return notJSON(value)
	}
	return nil
}

// list decodes the field as a list; anything else is an empty one.
func list[T any](l loose) []T {
	var all []T
	if !strings.HasPrefix(strings.TrimSpace(string(l)), "[") || json.Unmarshal([]byte(l), &all, sloppy) != nil {
		return nil
	}
	return all
}

// whole reads a number that arrives as an integer, a double or text; fractions
// are rounded, and what cannot be counted is absent.
func whole(text string) Opt[int64] {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > MaxInteger {
		return Opt[int64]{}
	}
	return Some(int64(math.Round(n)))
}

// decimal reads a number that arrives as a number or text.
func decimal(text string) Opt[float64] {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return Opt[float64]{}
	}
	return Some(n)
}

func truth(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1", "yes":
		return true
	}
	return false
}

// falsity reports whether text says no; silence does not.
func falsity(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "false", "0", "no":
		return true
	}
	return false
}

// stableID makes an id of what identifies an event wherever it is recorded, so
// that the same failure from a hook, a log and a session file is one event.
func stableID(parts ...string) string {
	id := strings.Join(parts, "/")
	if len(id) <= MaxID && !strings.ContainsRune(id, 0) && utf8.ValidString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return parts[0] + "/" + hex.EncodeToString(sum[:16])
}

// hashArgs is the fingerprint of a call's arguments: the same for the same JSON
// in any order of fields, as text or as an object. No arguments have none.
func hashArgs(args string) string {
	args = strings.TrimSpace(args)
	if args == "" || args == "null" {
		return ""
	}
	value := jsontext.Value(args)
	if value.Kind() == '"' && value.IsValid(sloppy) {
		return hashArgs(string(textOfValue(value)))
	}
	if value.Canonicalize(sloppy) == nil { // in place, of a copy
		args = string(value)
	}
	sum := sha256.Sum256([]byte(args))
	return hex.EncodeToString(sum[:8])
}

// maxMessage is how much of an output becomes the message; a screen of text
// says what failed, and the rest is detail.
const maxMessage = 2 << 10

// setOutput makes the output of a tool the message: of a long one its
// beginning and end, between which tools print what they did on the way.
func (e *Event) setOutput(output string) {
	output = strings.TrimSpace(output)
	if len(output) <= maxMessage {
		e.Message = output
		return
	}
	e.Message = strings.ToValidUTF8(output[:maxMessage/2], "") + "\n…\n" + tail(output, maxMessage/2)
	e.Detail = output
}

// addAttr keeps a value that the event has no field for.
func (e *Event) addAttr(key, value string) {
	if value == "" {
		return
	}
	if e.Attrs == nil {
		e.Attrs = map[string]string{}
	}
	e.Attrs[key] = value
}

// tidy makes sloppy values fit the limits of an event: text is cut, and a
// number out of range is absent. A source does not know our limits.
func (e *Event) tidy() {
	for i := range fields {
		f := &fields[i]
		switch p := f.at(e).(type) {
		case *string:
			*p = strings.ReplaceAll(*p, "\x00", "")
			if f.max > 0 && len(*p) > f.max {
				*p = strings.ToValidUTF8((*p)[:f.max], "")
			}
		case *Opt[int64]:
			if p.Known && (p.V < f.min || p.V > f.most) {
				*p = Opt[int64]{}
			}
		case *Opt[float64]:
			if p.Known && (p.V < float64(f.min) || p.V > float64(f.most)) {
				*p = Opt[float64]{}
			}
		case *map[string]string:
			for key, value := range *p {
				if value = strings.ReplaceAll(value, "\x00", ""); len(value) > MaxText {
					value = strings.ToValidUTF8(value[:MaxText], "")
				}
				(*p)[key] = value
			}
		}
	}
	if len(e.Message) > MaxDetail {
		e.Message = strings.ToValidUTF8(e.Message[:MaxDetail], "")
	}
}

// fit shortens an event whose JSON would be over the limit, as text full of
// control characters is.
func (e *Event) fit() {
	size := len(e.Message) + len(e.Detail)
	for key, value := range e.Attrs {
		size += len(key) + len(value)
	}
	const longest = 6 // bytes of a character that JSON escapes
	if size*longest < MaxEvent/2 || len(e.AppendJSON(nil)) <= MaxEvent {
		return
	}
	e.Detail = ""
	if len(e.AppendJSON(nil)) > MaxEvent {
		e.Attrs = nil
	}
}

// firstTime returns the first that is a time.
func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
