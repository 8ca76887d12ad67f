package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
)

// A document is a JSON object of a source whose versions differ: a member is
// read by the first of several names that is there, and numbers may be written
// as strings. A name may be a path with dots.
type document map[string]any

// parseDocument reads one JSON object.
func parseDocument(data []byte) (document, error) {
	value, err := parseValue(data)
	if err != nil {
		return nil, err
	}
	d, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("not a record: it is no JSON object")
	}
	return d, nil
}

func parseValue(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("not JSON: it ends too early")
		}
		return nil, fmt.Errorf("not JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not JSON: more follows after the end; put one record on a line")
	}
	return value, nil
}

// value returns the first of names that is there and not null.
func (d document) value(names ...string) any {
	for _, name := range names {
		if v := d.at(name); v != nil {
			return v
		}
	}
	return nil
}

// at follows a path; a member whose own name holds the dots comes first.
func (d document) at(path string) any {
	if v, ok := d[path]; ok {
		return v
	}
	head, rest, ok := strings.Cut(path, ".")
	if !ok {
		return nil
	}
	if inner, ok := d[head].(map[string]any); ok {
		return document(inner).at(rest)
	}
	return nil
}

// text returns the first of names that holds text, a number or a truth value.
func (d document) text(names ...string) string {
	for _, name := range names {
		if text, ok := scalarText(d.at(name)); ok && text != "" {
			return text
		}
	}
	return ""
}

// object returns the first of names that holds an object, or nil.
func (d document) object(names ...string) document {
	for _, name := range names {
		if inner, ok := d.at(name).(map[string]any); ok {
			return inner
		}
	}
	return nil
}

// whole returns the first of names that holds a whole number from 0.
func (d document) whole(names ...string) Opt[int64] {
	for _, name := range names {
		text, _ := scalarText(d.at(name))
		if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && n >= 0 && n <= MaxInteger && n == math.Trunc(n) {
			return Some(int64(n))
		}
	}
	return Opt[int64]{}
}

// flag returns the first of names that holds a truth value.
func (d document) flag(names ...string) (value, known bool) {
	for _, name := range names {
		text, _ := scalarText(d.at(name))
		if value, err := strconv.ParseBool(strings.ToLower(text)); err == nil {
			return value, true
		}
	}
	return false, false
}

// timeNames are the members that sources keep the time of a record in.
var timeNames = []string{"timestamp", "time", "ts", "at", "date", "datetime", "created_at", "createdAt", "@timestamp"}

// time returns the time of the record; its error says which members it looked for.
func (d document) time(loc *time.Location, names ...string) (time.Time, error) {
	for _, name := range names {
		if text, ok := scalarText(d.at(name)); ok && text != "" {
			return parseAnyTime(text, loc)
		}
	}
	return time.Time{}, fmt.Errorf("%s: missing; every record needs its time", names[0])
}

// errorText finds the text of an error in what a tool or a part of a program said.
func errorText(d document) string {
	return d.text("error.message", "error", "message", "reason", "result.error.message", "result.error", "result", "output")
}

func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// parseAnyTime reads a time as text, or as a number since 1970 whose size tells
// its unit: seconds, milliseconds, microseconds or nanoseconds.
func parseAnyTime(text string, loc *time.Location) (time.Time, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 1e8 || n >= 1e19 {
		return parseTime(strings.Replace(text, ",", ".", 1), loc)
	}
	for n >= 1e11 { // seconds reach it in the year 5138
		n /= 1000
	}
	// Microseconds are what the store keeps.
	return time.UnixMicro(int64(math.Round(n * 1e6))).UTC(), nil
}

// A rawDocument is the text of one JSON value of a file.
type rawDocument struct {
	data  []byte
	line  int  // where it starts
	cut   bool // longer than is read
	index int  // in the array around it; -1: none
}

func (raw rawDocument) at(o Options) string {
	if raw.index < 0 {
		return o.at(raw.line)
	}
	return o.at(raw.line) + "[" + strconv.Itoa(raw.index) + "]"
}

// documents yields the JSON values of r: one on each line, or printed over
// several lines as programs do for people. An array gives its elements.
func documents(r io.Reader, o Options) iter.Seq2[rawDocument, error] {
	return func(yield func(rawDocument, error) bool) {
		in := Lines(r)
		for in.Next() {
			for _, raw := range documentAt(in) {
				if !yield(raw, nil) {
					return
				}
			}
		}
		if raw := in.openArray(); raw != nil && !yield(*raw, nil) {
			return
		}
		if in.Err() != nil {
			yield(rawDocument{}, fmt.Errorf("read %s: %w", o.Name, in.Err()))
		}
	}
}

// documentAt reads the value that begins at the line of in. An array gives its
// elements, also where they stand on lines of their own, one by one.
func documentAt(in *LineReader) []rawDocument {
	raw := rawDocument{data: bytes.Clone(in.Bytes()), line: in.Line(), cut: in.Cut(), index: -1}
	switch first := string(bytes.TrimSpace(raw.data)); {
	case first == "[":
		in.array = in.Line()
		return nil
	case first == "]":
		in.array = 0
		return nil
	case strings.HasPrefix(first, "{"):
		if first == "{" {
			raw.gather(in)
		}
		raw.data = bytes.TrimRight(raw.data, " \t,")
		if last, ok := bytes.CutSuffix(raw.data, []byte("]")); ok && isJSON(last) {
			raw.data, in.array = last, 0 // the array ends behind its last element
		}
	case strings.HasPrefix(first, "[{") && strings.HasSuffix(first, "},"):
		raw.data, in.array = bytes.Trim(raw.data, " \t,["), in.Line()
	}
	return raw.elements()
}

// errOpenArray says that a file ends within an array.
var errOpenArray = errors.New("the array that begins here has no end: the file is cut, and what came behind is missing")

// openArray returns the beginning of an array that the input ends in; nil: none.
func (l *LineReader) openArray() *rawDocument {
	if l.array == 0 {
		return nil
	}
	return &rawDocument{data: []byte("["), line: l.array, index: -1}
}

// gather adds the lines of a printed object up to the one that closes it, which
// is indented as the first line is. One that is cut off ends where the next
// begins.
func (raw *rawDocument) gather(in *LineReader) {
	indent := raw.data[:bytes.IndexByte(raw.data, '{')]
	opening, closing := append(bytes.Clone(indent), '{'), append(bytes.Clone(indent), '}')
	for in.Next() {
		if bytes.HasPrefix(in.Bytes(), opening) {
			in.again = true
			return
		}
		raw.data = append(append(raw.data, '\n'), in.Bytes()...)
		if in.Cut() || len(raw.data) > maxLine {
			raw.cut = true
			return
		}
		if bytes.HasPrefix(in.Bytes(), closing) {
			return
		}
	}
}

// elements returns the elements of an array, or the value itself.
func (raw rawDocument) elements() []rawDocument {
	if data := bytes.TrimSpace(raw.data); !raw.cut && len(data) > 0 && data[0] == '[' {
		if parts, err := split(data); err == nil {
			list := make([]rawDocument, len(parts))
			for i, part := range parts {
				list[i] = rawDocument{data: part, line: raw.line, index: i}
			}
			return list
		}
	}
	return []rawDocument{raw}
}

// bad makes a record of the reason why raw is none.
func (raw rawDocument) bad(err error, o Options) Record {
	if raw.cut {
		err = fmt.Errorf("record of more than %d bytes", maxLine)
		raw.data = raw.data[:min(len(raw.data), keepLine)]
	}
	return Record{Err: err, Raw: raw.data, Position: raw.at(o)}
}

// record finishes e, and makes it or the reason against it a record.
func (raw rawDocument) record(e Event, o Options) Record {
	record := o.record(e, raw.data, raw.line)
	record.Position = raw.at(o)
	return record
}
