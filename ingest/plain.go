package ingest

import (
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// A plain reads events that are written as programs write them: objects of
// scalars, and attrs of scalars. It is five times as fast as a decoder of
// tokens, since it knows what it looks for and copies nothing: the texts of
// its events are parts of one string. Whatever else it meets, be it wrong or
// only unusual, it leaves to the decoder, which alone says what bad input is.
type plain struct {
	text string
	at   int // the next byte
}

// appendPlain is [AppendRecords] for plain messages; false leaves the records
// as they were.
func appendPlain(records []Record, m Message, data []byte) ([]Record, bool) {
	p := plain{text: m.text(data)}
	if !p.take('[') {
		records = append(records, Record{})
		r := &records[len(records)-1]
		read, ok := p.event(&r.Event)
		if !ok || p.next() != 0 {
			return records[:len(records)-1], false
		}
		r.finish(m, data, -1, read)
		return records, true
	}
	first := len(records)
	for more := true; more; more = p.take(',') {
		p.next()
		from := p.at
		records = append(records, Record{})
		r := &records[len(records)-1]
		read, ok := p.event(&r.Event)
		if !ok || len(records)-first > MaxArray {
			return records[:first], false
		}
		r.finish(m, data[from:p.at], len(records)-first-1, read)
	}
	if !p.take(']') || p.next() != 0 {
		return records[:first], false
	}
	return records, true
}

// text returns data, which is a part of m, as what the texts of events are parts of.
func (m Message) text(data []byte) string {
	if m.Lasting {
		return unsafe.String(&data[0], len(data))
	}
	return string(data)
}

// next returns the next byte that is no space; zero at the end.
func (p *plain) next() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			return 1 // which begins nothing
		default:
			return c
		}
	}
	return 0
}

// take moves over c if it is next.
func (p *plain) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.at++
	return true
}

// event reads e, which is empty, and returns the fields that it read.
func (p *plain) event(e *Event) (read fieldSet, ok bool) {
	p.next()
	from := p.at
	ok = p.members(func(name string) bool {
		i := fieldNamed(name)
		if i < 0 {
			read |= attrsField
			return p.attr(&e.Attrs, name)
		}
		read |= 1 << i
		f := &fields[i]
		if attrs, ok := f.at(e).(*map[string]string); ok && p.next() == '{' {
			return p.members(func(name string) bool { return p.attr(attrs, name) })
		}
		text, _, kind := p.scalar()
		return kind == 'n' || kind != 0 && f.set(e, text, kind) == nil
	})
	return read, ok && p.at-from <= MaxEvent
}

// members reads an object; value is called with each name, and reads what
// stands there.
func (p *plain) members(value func(name string) bool) bool {
	if !p.take('{') {
		return false
	}
	if p.take('}') {
		return true
	}
	for more := true; more; more = p.take(',') {
		if p.next() != '"' {
			return false
		}
		name, ok := p.quoted()
		if !ok || !p.take(':') || !value(name) {
			return false
		}
	}
	return p.take('}')
}

// attr stores a scalar under name: a string as it is, null not at all, anything
// else as its JSON text.
func (p *plain) attr(attrs *map[string]string, name string) bool {
	text, raw, kind := p.scalar()
	switch kind {
	case 0:
		return false
	case 'n':
		return true
	case '0':
		text = raw
	}
	if *attrs == nil {
		*attrs = map[string]string{}
	}
	(*attrs)[name] = text
	return true
}

// scalar reads a scalar: its text, its JSON, and its kind, which is zero for
// anything else.
func (p *plain) scalar() (text, raw string, kind jsontext.Kind) {
	c, from := p.next(), p.at
	switch c {
	case '"':
		if text, ok := p.quoted(); ok {
			return text, p.text[from:p.at], '"'
		}
	case 'n', 't', 'f':
		for _, word := range [...]string{"null", "true", "false"} {
			if strings.HasPrefix(p.text[p.at:], word) {
				p.at += len(word)
				return word, word, jsontext.Kind(c)
			}
		}
	default:
		if p.number() {
			return p.text[from:p.at], p.text[from:p.at], '0'
		}
	}
	return "", "", 0
}

// quoted reads a string, at whose first quote p stands.
func (p *plain) quoted() (string, bool) {
	from, beyondASCII := p.at+1, false
	for i := special(p.text, from); i < len(p.text); i = special(p.text, i) {
		switch c := p.text[i]; {
		case c == '"':
			text := p.text[from:i]
			if beyondASCII && !utf8.ValidString(text) {
				return "", false
			}
			p.at = i + 1
			return text, true
		case c == '\\':
			return p.escaped()
		case c < utf8.RuneSelf:
			return "", false
		}
		for beyondASCII = true; i < len(p.text) && p.text[i] >= utf8.RuneSelf; {
			i++
		}
	}
	return "", false
}

// special returns where the first byte from at on stands that is more to a
// string of JSON than itself: a quote, a backslash, a control character or one
// beyond ASCII; the end of text where there is none. It looks at eight at once.
func special(text string, at int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		s := text[at : at+8]
		x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, escape := x^('"'*ones), x^('\\'*ones)
		found := (x | (x-' '*ones)&^x | (quote-ones)&^quote | (escape-ones)&^escape) & highs // the first one is right, those behind it may be too many
		if found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return at
}

// escaped reads a string that holds an escape.
func (p *plain) escaped() (string, bool) {
	from := p.at
	for i := from + 1; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '"':
			p.at = i + 1
			text, err := jsontext.AppendUnquote(nil, p.text[from:p.at])
			return string(text), err == nil
		}
	}
	return "", false
}

// number moves over a number, as RFC 8259, section 6, writes it.
func (p *plain) number() bool {
	p.skip('-')
	if !p.skip('0') && !p.digits() {
		return false
	}
	if p.skip('.') && !p.digits() {
		return false
	}
	if p.skip('e') || p.skip('E') {
		_ = p.skip('+') || p.skip('-')
		return p.digits()
	}
	return true
}

// skip moves over c if it stands here.
func (p *plain) skip(c byte) bool {
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	return true
}

// digits moves over digits, of which there must be one.
func (p *plain) digits() bool {
	from := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}
