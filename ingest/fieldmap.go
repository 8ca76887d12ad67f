package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A FieldMap says where the fields of an event stand in foreign JSON, and counts
// what it does not find there. It is for one goroutine.
type FieldMap struct {
	paths   map[string]string // by name of the field; the names of a path are set off by dots
	records int
	missing map[string]int // records that have no value at the path, by name of the field
}

// A MissingField is a mapped field that some records have nothing for.
type MissingField struct {
	Name, Path       string
	Missing, Records int
}

// Missing lists the mapped fields that some of the records read so far have
// nothing for, in the order of the schema.
func (m *FieldMap) Missing() (list []MissingField) {
	for i := range fields {
		name := fields[i].name
		if n := m.missing[name]; n > 0 {
			list = append(list, MissingField{name, m.paths[name], n, m.records})
		}
	}
	return list
}

// Lacks reports whether a field is mapped, and no record read so far has it.
func (m *FieldMap) Lacks(name string) bool {
	return m.paths[name] != "" && m.missing[name] == m.records
}

// foreign is the source of mapped records, and their agent when they name none.
const foreign = "jsonl"

// ParseFieldMap reads pairs such as "message=err.msg".
func ParseFieldMap(pairs []string) (*FieldMap, error) {
	m := &FieldMap{paths: map[string]string{}, missing: map[string]int{}}
	for _, pair := range pairs {
		name, path, ok := strings.Cut(pair, "=")
		name, path = strings.TrimSpace(name), strings.TrimSpace(path)
		switch {
		case !ok || name == "" || path == "":
			return nil, fmt.Errorf("map %q: write FIELD=PATH, like message=err.msg", pair)
		case fieldByName(name) == nil || name == "attrs":
			return nil, fmt.Errorf("map %q: an event has no field %s that a value can go to; hansei schema lists them", pair, name)
		case m.paths[name] != "":
			return nil, fmt.Errorf("map %q: %s is mapped twice", pair, name)
		}
		m.paths[name] = path
	}
	return m, nil
}

// Apply returns the JSON object in line with the mapped fields added, in the
// types of an event. Members that were there stay as they are, but for those
// whose name is that of a field with another meaning: they become original_NAME.
func (m *FieldMap) Apply(line []byte, loc *time.Location) ([]byte, error) {
	d, err := parseDocument(line)
	if err != nil {
		return nil, err
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, jsonError(err)
	}
	out := []byte{'{'}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, jsonError(err)
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, jsonError(err)
		}
		if m.paths[key] == key {
			continue // added below
		}
		if m.paths[key] != "" || !fits(key, value) {
			key = "original_" + key
		}
		out = append(append(AppendQuote(out, key), ':'), value...)
		out = append(out, ',')
	}
	m.records++
	for name, path := range m.paths {
		if d.at(path) == nil {
			m.missing[name]++
		}
	}
	for i := range fields {
		f := &fields[i]
		if m.paths[f.name] == "" {
			continue
		}
		if out, err = f.appendMapped(out, d.at(m.paths[f.name]), loc); err != nil {
			return nil, fmt.Errorf("%s: %v", f.name, err)
		}
	}
	return append(bytes.TrimSuffix(out, []byte(",")), '}'), nil
}

// fits reports whether value can be that of a field called name.
func fits(name string, value []byte) bool {
	f := fieldByName(name)
	return f == nil || f.read(jsontext.NewDecoder(bytes.NewBuffer(value)), new(Event)) == nil
}

// appendMapped appends the member for v, in the type of the field; nothing for
// a value that is not there.
func (f *field) appendMapped(out []byte, v any, loc *time.Location) ([]byte, error) {
	if v == nil {
		return out, nil
	}
	text, ok := scalarText(v)
	if !ok {
		inner, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		text = string(inner)
	}
	var value []byte
	switch f.at(new(Event)).(type) {
	case *time.Time:
		t, err := parseAnyTime(text, loc)
		if err != nil {
			return nil, fmt.Errorf("%q is not a time; write it like 2026-01-31T09:30:00Z", clip(text))
		}
		value = AppendQuote(nil, t.Format(time.RFC3339Nano))
	case *Opt[int64], *Opt[float64]:
		text = strings.TrimSpace(text)
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return nil, fmt.Errorf("%q, want %s", clip(text), f.wants())
		}
		value = []byte(text)
	default:
		value = AppendQuote(nil, text)
	}
	out = append(AppendQuote(out, f.name), ':')
	return append(append(out, value...), ','), nil
}

// readMapped reads foreign JSON Lines.
func readMapped(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for raw, err := range documents(r, o) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !yield(mappedRecord(raw, o), nil) {
				return
			}
		}
	}
}

// mappedRecord makes an event of a foreign JSON object.
func mappedRecord(raw rawDocument, o Options) Record {
	if raw.cut {
		return raw.bad(nil, o)
	}
	data, err := o.Map.Apply(raw.data, o.location())
	if err != nil {
		return raw.bad(err, o)
	}
	var e Event
	if err := e.decode(data); err != nil {
		return raw.bad(err, o)
	}
	e.Agent, e.Source = cmp.Or(e.Agent, o.Agent, foreign), cmp.Or(e.Source, foreign)
	if len(e.Attrs) > MaxAttrs { // more than an event holds: all of them stay, as one
		all := string(AppendAttrs(nil, e.Attrs))
		e.Attrs = map[string]string{"record": all}
	}
	return raw.record(e, o)
}
