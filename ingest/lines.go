package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// maxLine bounds the memory of one line: an array of MaxArray events of the
// usual size fits many times over.
const maxLine = 8 << 20

// keepLine is what is kept of a longer line, as of an event: enough to find it.
const keepLine = MaxEvent

// hansei is our own format: JSON Lines, an event or an array of them on a line,
// and what printers for people make of these.
var hansei = Format{
	Name:     "hansei",
	About:    "JSON Lines of events, or an array of them, see hansei schema",
	Coverage: Coverage{Attempts: true, Recoveries: true},
	Read:     readLines,
}

func readLines(r io.Reader, o Options) iter.Seq2[Record, error] {
	if o.Map != nil {
		return readMapped(r, o)
	}
	return func(yield func(Record, error) bool) {
		in := Lines(r)
		for in.Next() {
			for _, record := range eventRecords(in, o) {
				if !yield(record, nil) {
					return
				}
			}
		}
		if raw := in.openArray(); raw != nil && !yield(raw.bad(errOpenArray, o), nil) {
			return
		}
		if in.Err() != nil {
			yield(Record{}, fmt.Errorf("read %s: %w", o.Name, in.Err()))
		}
	}
}

// eventRecords reads what begins at the line of in: an event most often, else an
// array, or what stands on several lines.
func eventRecords(in *LineReader, o Options) (records []Record) {
	if in.Cut() {
		err := fmt.Errorf("line of more than %d bytes: put one event on a line", maxLine)
		return []Record{{Err: err, Raw: bytes.Clone(in.Bytes()), Position: o.at(in.Line())}}
	}
	if line := in.Bytes(); line[0] == '{' && line[len(line)-1] == '}' {
		return rawDocument{data: line, line: in.Line(), index: -1}.events(o)
	}
	for _, raw := range documentAt(in) {
		records = append(records, raw.events(o)...)
	}
	return records
}

// events reads an event of our own, which may be bad input.
func (raw rawDocument) events(o Options) []Record {
	if raw.cut {
		return []Record{raw.bad(nil, o)}
	}
	records := Decode(Message{Arrived: o.Now, Data: raw.data})
	for i := range records {
		r := &records[i]
		r.Raw = bytes.Clone(r.Raw) // the reader's buffer is used again
		r.Position = raw.at(o) + strings.TrimPrefix(r.Position, "message")
	}
	return records
}

// A LineReader reads lines that are not blank, of any length in bounded memory.
type LineReader struct {
	r    *bufio.Reader
	buf  []byte
	line int
	cut  bool
	full bool
	err  error

	again bool // the line was looked at, and is still to be read
	array int  // the line of an array that has begun and not ended; 0: none
}

// Lines returns a reader of the lines of r.
func Lines(r io.Reader) *LineReader { return &LineReader{r: bufio.NewReaderSize(r, 64<<10)} }

// Next reads the next line that is not blank; false at the end and on an error.
func (l *LineReader) Next() bool {
	if l.again {
		l.again = false
		return true
	}
	for l.err == nil {
		l.read()
		if len(bytes.TrimSpace(l.buf)) > 0 {
			return true
		}
	}
	return false
}

func (l *LineReader) read() {
	l.buf, l.cut = l.buf[:0], false
	l.line++
	for {
		part, err := l.r.ReadSlice('\n')
		if !l.cut {
			l.buf = append(l.buf, part...)
		}
		if len(l.buf) > maxLine {
			l.buf, l.cut = l.buf[:keepLine], true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.err = err
			break
		}
	}
	if l.line == 1 {
		l.buf = bytes.TrimPrefix(l.buf, []byte("\ufeff")) // byte order mark of Windows editors
	}
	l.full = bytes.HasSuffix(l.buf, []byte("\n"))
	l.buf = bytes.TrimRight(l.buf, "\r\n")
}

// Bytes returns the line without its end; it is valid until the next call of Next.
func (l *LineReader) Bytes() []byte { return l.buf }

// Line returns the number of the line, counted from 1.
func (l *LineReader) Line() int { return l.line }

// Cut reports whether the line was too long and is only its beginning.
func (l *LineReader) Cut() bool { return l.cut }

// Ended reports whether the line has its end, which the last of a file that is
// still being written may lack.
func (l *LineReader) Ended() bool { return l.full }

// Err returns the error that ended the reading; nil at the end of the input.
func (l *LineReader) Err() error {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}
