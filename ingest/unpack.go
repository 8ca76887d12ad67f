package ingest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// beginnings lists what a file that is no text begins with, and what to do about it.
var beginnings = []struct{ start, is, todo string }{
	{gzipStart, "packed with gzip twice", "unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first: zstd -dc FILE | hansei … -"},
	{"\xfd7zXZ", "compressed with xz", "unpack it first: xz -dc FILE | hansei … -"},
	{"BZh", "compressed with bzip2", "unpack it first: bzip2 -dc FILE | hansei … -"},
	{"PK\x03\x04", "a zip archive", "unpack it first"},
	{"PAR1", "Parquet", "hansei import --format parquet reads what hansei export wrote"},
}

// gzipStart is what a gzip file begins with; it is unpacked once.
const gzipStart = "\x1f\x8b"

// Bytes that tell what a file is, of which the first are enough to begin with:
// who writes to a pipe may take long to send more.
const (
	startBytes = 512
	fewBytes   = 4
)

// mostControls is the share of control characters in the start of a file above
// which it is no text: one in 20. Noise has 1 in 11, terminal output hardly any.
const mostControls = 20

// Unpack returns the text of r, which may be gzip, and UTF-16 with a mark of its
// byte order. What is no text is an error that says what it seems to be, before
// any record of it is read.
func Unpack(r io.Reader) (io.Reader, error) {
	text, start, err := peek(r)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(start, []byte(gzipStart)) {
		unpacked, err := gzip.NewReader(text)
		if err != nil {
			return nil, fmt.Errorf("unpack it as gzip: %w", err)
		}
		if text, start, err = peek(unpacked); err != nil {
			return nil, fmt.Errorf("unpack it as gzip: %w", err)
		}
	}
	if wide := wideReader(text, start); wide != nil {
		if text, start, err = peek(wide); err != nil {
			return nil, err
		}
	}
	for _, f := range beginnings {
		if bytes.HasPrefix(start, []byte(f.start)) {
			return nil, fmt.Errorf("it is %s, not text, so nothing of it was read; %s", f.is, f.todo)
		}
	}
	// What a crash or a full disk leaves at the end of a file is no part of its
	// text; a file of nothing else is none.
	if begun := bytes.TrimRight(start, "\x00"); controls(begun)*mostControls > len(begun) || len(begun) == 0 && len(start) > 0 {
		return nil, errors.New("it is binary, not text, so nothing of it was read; give a file of text in UTF-8, or one that gzip made of it")
	}
	return text, nil
}

// peek returns the start of r, and r with it.
func peek(r io.Reader) (io.Reader, []byte, error) {
	start := make([]byte, startBytes)
	n, err := io.ReadAtLeast(r, start, fewBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	return io.MultiReader(bytes.NewReader(start[:n]), r), start[:n], nil
}

// controls counts the control characters that text does not hold: not the white
// space, bell, backspace and escape of terminals.
func controls(text []byte) int {
	n := 0
	for _, c := range text {
		if c < '\a' || c > '\r' && c < ' ' && c != '\x1b' {
			n++
		}
	}
	return n
}
