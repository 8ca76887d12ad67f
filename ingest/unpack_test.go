package ingest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestUnpack(t *testing.T) {
	const line = `{"time":"2026-01-15T12:00:00Z","agent":"bot","message":"落ちた"}` + "\n"
	noise := make([]byte, 4096)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise)
	var little, big string
	for _, c := range utf16.Encode([]rune(line + "😀\n")) {
		little += string([]byte{byte(c), byte(c >> 8)})
		big += string([]byte{byte(c >> 8), byte(c)})
	}
	const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, c := range []struct{ name, in, want, refused string }{
		{"text", line, line, ""},
		{"empty", "", "", ""},
		{"one byte", "x", "x", ""},
		{"byte order mark", "\xef\xbb\xbf" + line, "\xef\xbb\xbf" + line, ""},
		{"Shift_JIS", "\x83\x47\x83\x89\x81\x5b\r\n", "\x83\x47\x83\x89\x81\x5b\r\n", ""},
		{"terminal", "\x1b[31mError\x1b[0m\a\b\f 500 \x04\r\n" + line, "\x1b[31mError\x1b[0m\a\b\f 500 \x04\r\n" + line, ""},
		{"gzip", zipped(t, line), line, ""},
		{"gzip files one after another", zipped(t, line) + zipped(t, line), line + line, ""},
		{"gzip of noise", zipped(t, string(noise)), "", "binary"},
		{"gzip head alone", "\x1f\x8b\x08", "", "gzip"},
		{"gzip twice", zipped(t, zipped(t, line)), "", "twice"},
		{"noise", string(noise), "", "binary"},
		{"zeros", strings.Repeat("\x00", 600), "", "binary"},
		{"zstd", "\x28\xb5\x2f\xfd\x04\x00", "", "zstd"},
		{"UTF-16, little end first", "\xff\xfe" + little, line + "😀\n", ""},
		{"UTF-16, big end first", "\xfe\xff" + big, line + "😀\n", ""},
		{"gzip of UTF-16", zipped(t, "\xff\xfe"+little), line + "😀\n", ""},
		{"UTF-16, cut", "\xff\xfe" + little[:len(little)-3], line + "\uFFFD\uFFFD", ""},
		{"UTF-16, the mark alone", "\xff\xfe", "", ""},
		{"UTF-16 without a mark", little, "", "binary"},
		{"zeros at the end", line + zeros, line + zeros, ""},
		{"a short line, more zeros", "x\n" + zeros + zeros, "x\n" + zeros + zeros, ""},
		{"Parquet", "PAR1\x15\x04", "", "import --format parquet"},
	} {
		r, err := Unpack(strings.NewReader(c.in))
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want an error with %q", c.name, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	if r, err := Unpack(strings.NewReader(zipped(t, line)[:60])); err == nil {
		if _, err = io.ReadAll(r); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut gzip: %v, want an unexpected end", err)
		}
	}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
