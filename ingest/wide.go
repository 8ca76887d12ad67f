package ingest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A wide is the text of a reader of UTF-16, as PowerShell writes it, in UTF-8.
// What stands for no character becomes U+FFFD.
type wide struct {
	r     *bufio.Reader // behind the mark
	order binary.ByteOrder
	text  []byte // decoded, not read yet
}

// wideReader returns the text of r, which begins with start; nil for what does
// not begin with the mark of UTF-16.
func wideReader(r io.Reader, start []byte) *wide {
	if len(start) < 2 {
		return nil
	}
	var order binary.ByteOrder
	switch string(start[:2]) {
	case "\xff\xfe":
		order = binary.LittleEndian
	case "\xfe\xff":
		order = binary.BigEndian
	default:
		return nil
	}
	w := &wide{r: bufio.NewReader(r), order: order}
	_, _ = w.r.Discard(2) // the mark, which is there
	return w
}

// Read decodes what has arrived; it waits only where nothing has.
func (w *wide) Read(p []byte) (int, error) {
	for len(w.text) < len(p) && (len(w.text) == 0 || w.r.Buffered() > 0) {
		r, err := w.next()
		if err != nil && len(w.text) > 0 {
			break // comes again
		}
		if err != nil {
			return 0, err
		}
		w.text = utf8.AppendRune(w.text, r)
	}
	n := copy(p, w.text)
	w.text = w.text[:copy(w.text, w.text[n:])]
	return n, nil
}

// next reads one character.
func (w *wide) next() (rune, error) {
	var unit [2]byte
	if _, err := io.ReadFull(w.r, unit[:]); errors.Is(err, io.ErrUnexpectedEOF) {
		return utf8.RuneError, nil // half a unit
	} else if err != nil {
		return 0, err
	}
	r := rune(w.order.Uint16(unit[:]))
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	low, err := w.r.Peek(2)
	if err != nil {
		return utf8.RuneError, nil // told by the next reading
	}
	pair := utf16.DecodeRune(r, rune(w.order.Uint16(low)))
	if pair != utf8.RuneError {
		_, _ = w.r.Discard(2) // it is there
	}
	return pair, nil
}
