package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A jsonValue is a JSON value of a file, or a text that is none.
type jsonValue struct {
	data  []byte // valid until the next one is read
	line  int    // where it begins
	index string // "[3]" in a list; empty outside
	err   error
}

// maxValue bounds the memory of a value over many lines, such as the session
// file of an agent that rewrites it whole.
const maxValue = 64 << 20

// values yields the JSON values of r: one on a line, or over many lines as
// pretty printers write. The elements of a list come one by one. A value that
// is broken ends where the next line begins one, so it does not spoil the rest.
func values(r io.Reader, o Options) iter.Seq2[jsonValue, error] {
	return func(yield func(jsonValue, error) bool) {
		v := valueReader{in: Lines(r), growing: o.Growing}
		for v.next() {
			for _, value := range v.value.elements() {
				if !yield(value, nil) {
					return
				}
			}
		}
		if err := v.in.Err(); err != nil {
			yield(jsonValue{}, fmt.Errorf("read %s: %w", o.Name, err))
		}
	}
}

type valueReader struct {
	in      *LineReader
	growing bool
	ahead   bool   // the line that in stands at is not used yet
	ended   bool   // the last line that was read has its end
	pending []byte // a value whose end is not read yet
	value   jsonValue
}

// next reads the next value; false at the end.
func (v *valueReader) next() bool {
	start := 0
	for v.ahead || v.in.Next() {
		v.ahead, v.ended = false, v.in.Ended()
		line := v.in.Bytes()
		if len(v.pending) > 0 {
			if !continues(line) || len(v.pending) > maxValue {
				v.ahead = true
				return v.broken(start)
			}
			v.pending = append(append(v.pending, '\n'), line...)
			if closes(line) && isJSON(v.pending) {
				v.value = jsonValue{data: v.pending, line: start}
				v.pending = v.pending[:0:0]
				return true
			}
			continue
		}
		if v.in.Cut() {
			v.value = jsonValue{data: line, line: v.in.Line(), err: fmt.Errorf("line of more than %d bytes", maxLine)}
			return true
		}
		if isJSON(line) {
			v.value = jsonValue{data: line, line: v.in.Line()}
			return true
		}
		v.pending, start = append(v.pending[:0:0], line...), v.in.Line()
	}
	half := !v.ended || bytes.IndexByte(v.pending, '\n') >= 0
	if len(v.pending) == 0 || v.growing && half {
		return false // what is still being written comes with the next reading
	}
	return v.broken(start)
}

// broken makes what is pending a value with an error.
func (v *valueReader) broken(line int) bool {
	err := notJSON(v.pending)
	if err == nil { // whole, but over the limit
		err = errors.New("not JSON")
	}
	v.value = jsonValue{data: v.pending[:min(len(v.pending), keepLine)], line: line, err: err}
	v.pending = v.pending[:0:0]
	return true
}

func isJSON(text []byte) bool { return jsontext.Value(text).IsValid(sloppy) }

// notJSON says what keeps a text from being one JSON value; nil for one that is.
func notJSON(text []byte) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), sloppy)
	if _, err := dec.ReadValue(); err != nil {
		return jsonError(err)
	}
	return trailing(dec)
}

// continues reports whether a line can stand within a value over many lines:
// pretty printers indent all but the last.
func continues(line []byte) bool { return line[0] == ' ' || line[0] == '\t' || closes(line) }

func closes(line []byte) bool { return line[0] == '}' || line[0] == ']' }

// elements splits a list; anything else is itself.
func (v jsonValue) elements() []jsonValue {
	if v.err != nil || !bytes.HasPrefix(bytes.TrimSpace(v.data), []byte("[")) {
		return []jsonValue{v}
	}
	list, err := split(bytes.TrimSpace(v.data))
	if err != nil {
		return []jsonValue{{data: v.data, line: v.line, err: err}}
	}
	var all []jsonValue
	for i, element := range list {
		all = append(all, jsonValue{data: element, line: v.line, index: "[" + strconv.Itoa(i) + "]"})
	}
	return all
}
