package ingest

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A logLine is a line of a log as a person sees it.
type logLine struct {
	raw     string    // as it came
	text    string    // without terminal sequences and its time
	said    string    // text without what loggers put before a message
	number  int       // counted from 1
	time    time.Time // of the line, else of the last line that had one, else the file's
	stamped bool      // the line has a time of its own
	again   int       // how many lines before it are the same
	healthy bool      // its level says so
	err     error     // why the line cannot be read
}

// logLines yields the lines of r that are not blank.
func logLines(r io.Reader, o Options) iter.Seq2[logLine, error] {
	return func(yield func(logLine, error) bool) {
		in := Lines(r)
		last := o.undated()
		seen := map[[16]byte]int{}
		for in.Next() {
			l := logLine{raw: strings.ToValidUTF8(string(in.Bytes()), "\ufffd"), number: in.Line(), time: last}
			if in.Cut() {
				l.err = fmt.Errorf("line of more than %d bytes", maxLine)
			}
			l.text = strings.TrimSpace(PlainText(l.raw))
			if l.text == "" && l.err == nil {
				continue
			}
			l.readTime(o)
			l.said = message(l.text)
			if l.stamped {
				last = l.time
			}
			sum := sha256.Sum256([]byte(l.raw))
			key := [16]byte(sum[:16])
			l.again = seen[key]
			if len(seen) == maxSeen {
				clear(seen) // what is equal stands near
			}
			seen[key] = l.again + 1
			if !yield(l, nil) {
				return
			}
		}
		if in.Err() != nil {
			yield(logLine{}, fmt.Errorf("read %s: %w", o.Name, in.Err()))
		}
	}
}

// readLog gives the lines to read one by one, calls end behind the last, and
// yields the records that they put into out, where later lines may add to them.
func readLog(lines iter.Seq2[logLine, error], read func(logLine), end func(), out *[]Record, yield func(Record, error) bool) {
	flush := func() bool {
		for _, record := range *out {
			if !yield(record, nil) {
				return false
			}
		}
		*out = (*out)[:0]
		return true
	}
	for l, err := range lines {
		if err != nil {
			yield(Record{}, err)
			return
		}
		if read(l); !flush() {
			return
		}
	}
	end()
	flush()
}

// maxSeen bounds the memory for telling equal lines apart.
const maxSeen = 1 << 16

// logOrDocuments yields the lines of a log, or of a file that begins with a
// bracket on a line of its own the JSON values that are printed over many lines.
func logOrDocuments(r io.Reader, o Options) iter.Seq2[logLine, error] {
	in := bufio.NewReader(r)
	start, _ := in.Peek(64) // a shorter file, or an error, comes again when it is read
	first, _, _ := strings.Cut(strings.TrimLeft(string(start), "\ufeff \t\r\n"), "\n")
	if first = strings.TrimSpace(first); first != "{" && first != "[" {
		return logLines(in, o)
	}
	return func(yield func(logLine, error) bool) {
		for raw, err := range documents(in, o) {
			text := string(raw.data)
			l := logLine{raw: text, text: text, said: strings.TrimSpace(text), number: raw.line, time: o.undated(), again: max(raw.index, 0)}
			if raw.cut {
				l.err = raw.bad(nil, o).Err
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// leadingTime finds the time that a line starts with, in brackets or not.
var leadingTime = regexp.MustCompile(`^[\[(<]?(\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}\b))?)?)[\])>]?(?: UTC\b)?`)

// leadingLevel finds what loggers put between the time and the message: the
// level, the category, and names that are set off by dashes.
var leadingLevel = regexp.MustCompile(`^(?:[-:|]\s+|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|API|APP)\]?(?:\s*[-:|]\s+|\s+)|[\w.]+ - )`)

// readTime takes the time from the start of the line. A date that no calendar
// has is an error of the line.
func (l *logLine) readTime(o Options) {
	m := leadingTime.FindStringSubmatch(l.text)
	if m == nil {
		l.readSyslogTime(o)
		return
	}
	t, err := parseAnyTime(m[1], o.location())
	if err != nil {
		l.err = err
		return
	}
	if strings.HasSuffix(m[0], "UTC") {
		t, _ = parseAnyTime(m[1], time.UTC)
	}
	l.time, l.stamped = t, true
	l.text = strings.TrimLeft(l.text[len(m[0]):], " \t-:|")
}

// syslogTime is how syslog begins lines (RFC 3164, section 4.1.2): without a year.
var syslogTime = regexp.MustCompile(`^(?:<\d{1,3}>)?([A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}) `)

// readSyslogTime takes the time from a line of syslog, in the latest year that
// does not lie behind the file's last change.
func (l *logLine) readSyslogTime(o Options) {
	m := syslogTime.FindStringSubmatch(l.text)
	until := o.undated().Add(MaxAhead)
	for year := until.Year(); m != nil && year > until.Year()-9; year-- { // a 29th of February is there once in at most eight
		t, err := time.ParseInLocation("2006 Jan _2 15:04:05", fmt.Sprintf("%d %s", year, m[1]), o.location())
		if err == nil && !t.After(until) {
			l.time, l.stamped = t.UTC(), true
			l.text = l.text[len(m[0]):]
			return
		}
	}
}

// readJSON takes the message and the time of a line that a logger wrote as JSON.
func (l *logLine) readJSON(o Options) document {
	if !strings.HasPrefix(l.text, "{") || l.err != nil {
		return nil
	}
	d, err := parseDocument([]byte(l.text))
	if err != nil {
		return nil
	}
	l.said = cmp.Or(d.text("message", "msg", "event", "log"), l.said)
	if d.text(timeNames...) != "" {
		var t time.Time
		if t, l.err = d.time(o.location(), timeNames...); l.err == nil {
			l.time, l.stamped = t, true
		}
	}
	return d
}

// message drops what loggers put before a message. "ERROR: no such file" is a
// message of its own, which many tools write.
func message(text string) string {
	for range 4 { // separator, name, level, category
		prefix := leadingLevel.FindString(text)
		if prefix == "" || len(prefix) == len(text) || strings.HasPrefix(text, "ERROR:") {
			break
		}
		text = text[len(prefix):]
	}
	return text
}

// bad makes a record of the reason why the line is none.
func (l *logLine) bad(err error, o Options) Record {
	raw := l.raw
	if len(raw) > keepLine {
		raw = raw[:keepLine]
	}
	return Record{Err: err, Raw: []byte(raw), Position: o.at(l.number)}
}

// id names an event of the line. A line with a time is known by itself, so that
// a log that was renamed or has grown is recognised; one without is known by
// its place.
func (l *logLine) id(o Options, agent, role string) string {
	parts := []string{agent, role, l.raw, strconv.Itoa(l.again)}
	if !l.stamped {
		parts = append(parts, o.Name, strconv.Itoa(l.number))
	}
	return contentName("l-", parts...)
}

// contentName makes a name of what parts hold.
func contentName(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + hex.EncodeToString(sum[:16])
}

// messageEdge is how much of each end of a long message is kept: an event holds
// 64 KiB, and a cause stands at the start or the end of what a tool printed.
const messageEdge = 8 << 10

// shorten leaves out the middle of a long text.
func shorten(s string) string {
	if len(s) <= 2*messageEdge {
		return s
	}
	return strings.ToValidUTF8(s[:messageEdge], "") + "\n…\n" + tail(s, messageEdge)
}

// errNoTime says what to do about a record without a time.
var errNoTime = errors.New("time: missing; every record needs its time, written like 2026-01-31T09:30:00Z")

// PlainText returns s as a terminal shows it: without control sequences (CSI,
// and OSC closed by BEL or by ESC backslash) and other control characters but
// for tabs and line ends. Of a line that was written over, the last writing
// stays.
func PlainText(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	s = terminalSequence.ReplaceAllString(s, "")
	var b strings.Builder
	for line := range strings.Lines(s) {
		text, end := strings.TrimRight(line, "\r\n"), ""
		if strings.HasSuffix(line, "\n") {
			end = "\n"
		}
		if i := strings.LastIndexByte(text, '\r'); i >= 0 {
			text = text[i+1:]
		}
		b.WriteString(strings.Map(dropControl, text) + end)
	}
	return b.String()
}

// terminalSequence is a control sequence; one that was cut off ends with its line.
var terminalSequence = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]?|\x9b[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?`)

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }

func dropControl(r rune) rune {
	if isControl(r) {
		return -1
	}
	return r
}
