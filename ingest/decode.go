package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxAhead is how far an event's time may lie after its arrival: a day covers
// a wrong time zone; anything later is a broken clock, and would put the event
// into the report of a month that has not begun.
const MaxAhead = 24 * time.Hour

// A Message is what arrives from the stream, or one record of a file.
type Message struct {
	ID      string    // the Nats-Msg-Id, which is the id of a single event that has none
	Arrived time.Time // when it arrived; the zero time leaves the time of events unbounded
	Data    []byte    // one event, or an array of at most MaxArray
	Lasting bool      // Data is never written to any more, so that events may be parts of it
}

// A Record is an event or the reason why there is none.
type Record struct {
	Event    Event
	Err      error     // why the record is bad input; nil for an event
	Raw      []byte    // the bad input as it came; nil for an event
	Position string    // where the bad input stood: "message", "message[3]", "errors.jsonl:17"
	Near     time.Time // time of the event before it in the same file, to date bad input; zero if none
}

// Decode returns the events of m in their order, bad ones as records with an
// error. It returns at least one record.
func Decode(m Message) []Record { return AppendRecords(nil, m) }

// AppendRecords appends what [Decode] returns to records, whose memory a caller
// of many messages uses again.
func AppendRecords(records []Record, m Message) []Record {
	data := bytes.TrimSpace(m.Data)
	if len(data) == 0 {
		return append(records, bad(m.Data, "message", errors.New("empty message: publish a JSON object or an array of objects")))
	}
	if plain, ok := appendPlain(records, m, data); ok {
		return plain
	}
	return appendDecoded(records, m, data)
}

// appendDecoded is AppendRecords for messages of any kind, of which data is
// what is not space.
func appendDecoded(records []Record, m Message, data []byte) []Record {
	if data[0] == '[' {
		return appendArray(records, m, data)
	}
	records = append(records, Record{})
	records[len(records)-1].decode(m, data, -1)
	return records
}

func bad(raw []byte, position string, err error) Record {
	return Record{Err: err, Raw: raw, Position: position}
}

// decode makes r, which is empty, of the element of m called data; its index in
// the array is negative where m is no array.
func (r *Record) decode(m Message, data []byte, index int) {
	if err := r.Event.decode(data); err != nil {
		*r = badElement(data, index, err)
		return
	}
	r.finish(m, data, index, allFields)
}

// finish makes a record of the event that data, an element of m, was read as.
// Nothing but the fields in read is set.
func (r *Record) finish(m Message, data []byte, index int, read fieldSet) {
	if r.Event.ID == "" && index < 0 && len(m.ID) <= MaxID && utf8.ValidString(m.ID) {
		r.Event.ID = m.ID // of an array it names the array, not an event
		read |= idField
	}
	if err := r.Event.finish(m.Arrived, read); err != nil {
		*r = badElement(data, index, r.Event.wrapped(err))
	}
}

// wrapped adds to the error of an object around a list what to do, which each
// client that does so sends for every event.
func (e *Event) wrapped(err error) error {
	for _, name := range slices.Sorted(maps.Keys(e.Attrs)) {
		if e.Time.IsZero() && e.Agent == "" && strings.HasPrefix(e.Attrs[name], "[{") {
			return fmt.Errorf("%w; if the events are those in %q, send that array without the object around it", err, clip(name))
		}
	}
	return err
}

// badElement is the element of a message at an index, which is negative where
// it is the whole.
func badElement(data []byte, index int, err error) Record {
	if index < 0 {
		return bad(data, "message", err)
	}
	return bad(data, "message["+strconv.Itoa(index)+"]", err)
}

// appendArray splits an array first, so that one bad element does not spoil
// the others; bytes that are no JSON spoil the whole, since nothing after them
// can be told apart.
func appendArray(records []Record, m Message, data []byte) []Record {
	elements, err := split(data)
	switch {
	case err != nil:
	case len(elements) == 0:
		err = errors.New("empty array: publish at least one event")
	case len(elements) > MaxArray:
		err = fmt.Errorf("array of %d events, at most %d: publish it in parts", len(elements), MaxArray)
	}
	if err != nil {
		return append(records, bad(m.Data, "message", err))
	}
	first := len(records)
	records = append(records, make([]Record, len(elements))...)
	for i, element := range elements {
		records[first+i].decode(m, element, i)
	}
	return records
}

// split returns the elements of a JSON array; they share memory with data.
func split(data []byte) ([][]byte, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, jsonError(err)
	}
	var elements [][]byte
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return nil, jsonError(err)
		}
		end := dec.InputOffset()
		elements = append(elements, data[end-int64(len(value)):end])
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, jsonError(err)
	}
	return elements, trailing(dec)
}

// jsonError says what is wrong in the words of the JSON library, without its name.
func jsonError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not JSON: it ends too early")
	}
	return fmt.Errorf("not JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
}

func trailing(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("not JSON: more follows after the end; put one event on a line, or an array in a message")
	}
	return nil
}

// decoders are used again, since one costs more than what it reads.
var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// decode reads the fields of e, which is empty, from one JSON object.
func (e *Event) decode(data []byte) error {
	if len(data) > MaxEvent {
		return fmt.Errorf("event of %d bytes, at most %d: shorten message or detail", len(data), MaxEvent)
	}
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	if kind := dec.PeekKind(); kind != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return jsonError(err)
		}
		return fmt.Errorf("not an event: a JSON %s; an event is an object", kindName(kind))
	}
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return jsonError(err)
		}
		if f := fieldByName(name.String()); f != nil {
			err = f.read(dec, e)
		} else {
			err = e.readUnknown(name.String(), dec)
		}
		if err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(err)
	}
	return trailing(dec)
}

// read reads the field's value from dec; null is the same as absent.
func (f *field) read(dec *jsontext.Decoder, e *Event) error {
	kind := dec.PeekKind()
	if p, ok := f.at(e).(*map[string]string); ok && kind == '{' {
		return readAttrs(dec, p)
	}
	if kind == '{' || kind == '[' {
		return fmt.Errorf("%s: a JSON %s, want %s", f.name, kindName(kind), f.wants())
	}
	token, err := dec.ReadToken()
	if err != nil {
		return jsonError(err)
	}
	if kind == 'n' {
		return nil
	}
	return f.set(e, token.String(), kind)
}

// set stores a scalar; the type of the field decides which kinds it takes.
func (f *field) set(e *Event, text string, kind jsontext.Kind) error {
	wrong := func() error {
		return fmt.Errorf("%s: a JSON %s (%s), want %s", f.name, kindName(kind), clip(text), f.wants())
	}
	switch p := f.at(e).(type) {
	case *string:
		if kind != '"' && (!f.num || kind != '0') {
			return wrong()
		}
		*p = text
	case *Kind:
		if kind != '"' {
			return wrong()
		}
		*p = Kind(text)
	case *time.Time:
		if kind != '"' {
			return wrong()
		}
		t, err := readRFC3339(text)
		if err != nil {
			return fmt.Errorf("%s: %q is not RFC 3339; write it like 2026-01-31T09:30:00Z", f.name, clip(text))
		}
		if t.IsZero() {
			return fmt.Errorf("%s: %s is what programs write that set no time; write it like 2026-01-31T09:30:00Z", f.name, stamp(t))
		}
		*p = t.UTC()
	case *Opt[int64]:
		if n, err := strconv.Atoi(text); err == nil && kind == '0' && 0 <= n && n <= MaxInteger {
			*p = Some(int64(n)) // most
			return nil
		}
		n, err := strconv.ParseFloat(text, 64)
		if kind != '0' || err != nil || n != float64(int64(n)) {
			return wrong()
		}
		*p = Some(int64(n))
	case *Opt[float64]:
		n, err := strconv.ParseFloat(text, 64)
		if kind != '0' || err != nil {
			return wrong()
		}
		*p = Some(n)
	default: // attrs
		return wrong()
	}
	return nil
}

// readRFC3339 reads a time as RFC 3339 has it: with small letters too, and with
// the second that is put in after 23:59:59 UTC. Clocks of programs do not have
// that one: it is kept as the last microsecond before it, so that it stays on
// its day and after what came before it.
func readRFC3339(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err == nil {
		return t, nil // most
	}
	text = strings.ToUpper(text)
	const seconds = len("2016-12-31T23:59:")
	put := len(text) > seconds+2 && text[seconds:seconds+2] == "60"
	if put {
		text = text[:seconds] + "59" + text[seconds+2:]
	}
	if t, err = time.Parse(time.RFC3339Nano, text); err != nil || !put {
		return t, err
	}
	if u := t.UTC(); u.Hour() != 23 || u.Minute() != 59 {
		return time.Time{}, errors.New("second 60 stands at 23:59 UTC alone")
	}
	return t.Truncate(time.Second).Add(time.Second - time.Microsecond), nil
}

// wants names the type that the field takes.
func (f *field) wants() string {
	switch f.at(new(Event)).(type) {
	case *Opt[int64]:
		return "an integer"
	case *Opt[float64]:
		return "a number"
	case *map[string]string:
		return "an object of strings"
	}
	return "a string"
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case '0':
		return "number"
	case 'n':
		return "null"
	}
	return "boolean"
}

// readAttrs reads attrs; a value that is no string is kept as its JSON text.
func readAttrs(dec *jsontext.Decoder, p *map[string]string) error {
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return jsonError(err)
		}
		if err := readText(p, name.String(), dec); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	if err != nil {
		return jsonError(err)
	}
	return nil
}

// readUnknown keeps a field that the contract does not name in attrs.
func (e *Event) readUnknown(name string, dec *jsontext.Decoder) error {
	return readText(&e.Attrs, name, dec)
}

// readText stores the value that dec stands at under name: a string as it is,
// null not at all, anything else as its JSON text.
func readText(p *map[string]string, name string, dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return jsonError(err)
	}
	text := string(value)
	switch value.Kind() {
	case 'n':
		return nil
	case '"':
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return jsonError(err)
		}
		text = string(unquoted)
	}
	if *p == nil {
		*p = map[string]string{}
	}
	(*p)[name] = text
	return nil
}

// Finish fills what the contract derives (kind, source, id), shortens detail
// and checks every limit. Adapters call it on the events they make; arrived
// bounds the time unless it is zero.
func (e *Event) Finish(arrived time.Time) error { return e.finish(arrived, allFields) }

// finish is Finish for an event of which nothing but the fields in given is set.
func (e *Event) finish(arrived time.Time, given fieldSet) error {
	if e.Kind == "" {
		e.Kind = Failure
	}
	if e.Source == "" {
		e.Source = Native
	}
	folder := homeFolder(e.Operation)
	e.Operation = strings.TrimPrefix(e.Operation, "/")
	if len(e.Detail) > MaxDetail {
		e.Detail = tail(ScrubText(e.Detail), MaxDetail) // half a secret does not show what it is
	}
	if err := e.check(arrived, given); err != nil {
		return err
	}
	if e.ID == "" {
		e.ID = e.ContentID()
	}
	if folder {
		e.Operation = "/" + e.Operation // Scrub tells it by the slash, and drops that
	}
	return nil
}

// tail returns the last runes of s that fit in n bytes.
func tail(s string, n int) string {
	s = s[max(0, len(s)-n):]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// clip shortens s for an error message; 80 bytes are one line of a terminal.
// What is cut of a secret could not be found later.
func clip(s string) string {
	s = ScrubText(s)
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:80], "") + "…"
}

// Set sets the field called name from its JSON value, and does nothing for a
// name that is no field. A value of a wrong type is an error, as it is to
// [Decode].
func (e *Event) Set(name string, value []byte) error {
	f := fieldByName(name)
	if f == nil {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
	return f.read(dec, e)
}
