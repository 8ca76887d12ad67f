package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends e to dst as one JSON object in the order of the
// contract's fields, leaving out what is absent. The same event gives the same
// bytes, and [Decode] reads them back to it.
func (e *Event) AppendJSON(dst []byte) []byte {
	return e.appendJSON(dst, "")
}

// appendJSON leaves out the field named without.
func (e *Event) appendJSON(dst []byte, without string) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for i := range fields {
		f := &fields[i]
		if f.name == without {
			continue
		}
		mark := len(dst)
		if mark > start {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f.name...), '"', ':')
		value := len(dst)
		if dst = f.append(dst, e); len(dst) == value {
			dst = dst[:mark] // absent
		}
	}
	return append(dst, '}')
}

// append appends the field's value, or nothing when it is absent.
func (f *field) append(dst []byte, e *Event) []byte {
	switch p := f.at(e).(type) {
	case *string:
		return appendText(dst, *p)
	case *Kind:
		return appendText(dst, string(*p))
	case *time.Time:
		if p.IsZero() {
			return dst
		}
		return appendText(dst, p.Format(time.RFC3339Nano))
	case *Opt[int64]:
		if p.Known {
			return strconv.AppendInt(dst, p.V, 10)
		}
	case *Opt[float64]:
		if p.Known {
			return strconv.AppendFloat(dst, p.V, 'g', -1, 64)
		}
	case *map[string]string:
		return AppendAttrs(dst, *p)
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	if s == "" {
		return dst
	}
	return AppendQuote(dst, s)
}

// AppendQuote appends s as a JSON string. Bytes that are no UTF-8 become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	quoted, _ := jsontext.AppendQuote(dst, s) // its only error is invalid UTF-8, which it has replaced
	return quoted
}

// AppendAttrs appends attrs as a JSON object, its keys in order; nothing when
// there are none.
func AppendAttrs(dst []byte, attrs map[string]string) []byte {
	if len(attrs) == 0 {
		return dst
	}
	keys := make([]string, 0, len(attrs))
	for key := range attrs {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		dst = AppendQuote(append(dst, sep), key)
		dst = AppendQuote(append(dst, ':'), attrs[key])
	}
	return append(dst, '}')
}

// ContentID returns the id of an event that came without one: a hash of all
// its other fields, so that a second import of the same record is recognised.
// 128 bits of SHA-256 keep the chance of a false match under 1e-18 for ten
// billion events.
func (e *Event) ContentID() string {
	sum := sha256.Sum256(e.appendJSON(nil, "id"))
	return "c-" + hex.EncodeToString(sum[:16])
}
