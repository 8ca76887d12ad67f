package ingest

import (
	"cmp"
	"io"
	"iter"
	"regexp"
	"strings"
)

// textLines reads plain lines, each of which tells of a failure, unless its level
// says that it is healthy; a stack trace is a part of the line before it. Its time is
// the one that the line starts with, else that of the file's last change.
var textLines = Format{
	Name:     textName,
	About:    "plain lines, each a failure with its stack trace, but for levels below WARN; time from the line, else the file's last change",
	Coverage: Coverage{Final: true},
	Read:     readTextLines,
}

// textName names the format, and the agent of its events when none is given.
const textName = "text"

func readTextLines(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		t := textReader{o: o}
		readLog(logLines(r, o), t.line, t.end, &t.out, yield)
	}
}

// A textReader joins the lines of a log that tell of one failure.
type textReader struct {
	o     Options
	out   []Record
	open  bool    // first may be followed by lines that belong to it
	first logLine // with what was joined to it as its text
	trace trace
}

// line reads the next line.
func (t *textReader) line(l logLine) {
	if t.open && l.err == nil && !l.stamped && t.trace.takes(&l, &t.first) {
		t.first.text = shorten(t.first.text + "\n" + strings.TrimRight(PlainText(l.raw), " \t\r"))
		return
	}
	t.end()
	d := l.readJSON(t.o)
	if d != nil {
		l.text = l.said
		if said := d.text("error.message", "error", "err.message", "err", "exception"); !strings.Contains(l.text, said) {
			l.text = strings.TrimSpace(l.text + ": " + said)
		}
	}
	t.first, t.open, t.trace = l, true, traceOf(&l)
	t.first.healthy = l.err == nil && t.trace == noTrace && isHealthy(&l, d)
	if !l.stamped && t.trace == noTrace {
		t.first.time = t.o.undated() // not that of the line before, which may be hours old
	}
}

// end makes a record of the lines that were joined.
func (t *textReader) end() {
	switch {
	case !t.open:
	case t.first.healthy && t.o.Healthy != nil:
		*t.o.Healthy++
	case t.first.healthy:
	default:
		t.out = append(t.out, t.first.textRecord(t.o))
	}
	t.open = false
}

func (l *logLine) textRecord(o Options) Record {
	if l.err != nil {
		return l.bad(l.err, o)
	}
	e := Event{Time: l.time, Source: textName, Agent: cmp.Or(o.Agent, textName), Message: shorten(cmp.Or(l.text, l.raw))}
	e.ID = l.id(o, e.Agent, "")
	if e.Time.IsZero() {
		return l.bad(errNoTime, o)
	}
	return o.record(e, []byte(l.raw), l.number)
}

// healthyLevel finds a level below warnings where loggers write it: before the
// message, behind a name that is set off, or as level=info.
var healthyLevel = regexp.MustCompile(`^(?:[-:|]\s+|\[[^\]]*\]\s+|[\w.]+ - |[\w.]+:\s+)*(?:(?:TRACE|DEBUG|INFO|NOTICE)(?:[\s:|\]-]|$)|\[(?i:trace|debug|info|notice)\]|(?i:trace|debug|info|notice):\s)|\b(?:level|lvl)=\"?(?i:trace|debug|info|notice)\b`)

// isHealthy reports whether a logger says that a line is no warning; d is its
// JSON, nil for other lines. One that carries an error is none the less one.
func isHealthy(l *logLine, d document) bool {
	if d == nil {
		return healthyLevel.MatchString(l.text)
	}
	switch strings.ToLower(d.text("level", "severity", "lvl", "levelname")) {
	case "trace", "debug", "info", "notice", "information", "10", "20", "30": // numbers are those of pino
		return d.value("error", "err", "exception", "stack") == nil
	}
	return false
}

// A trace is a kind of stack trace, as far as it was read.
type trace int

const (
	noTrace     trace = iota
	pythonTrace       // Traceback: up to the first line that is not indented, which names the exception
	goTrace           // panic: up to what is neither a frame nor a goroutine
	nodeTrace         // a place in the source: up to the line that names the exception
	tracedToEnd       // its end was read, but for what some runtimes add
)

var (
	nodePlace  = regexp.MustCompile(`^(?:file://)?/?[^\s:]+\.[cm]?[jt]s:\d+$`)
	goFrame    = regexp.MustCompile(`^(?:goroutine \d+ \[|\[signal |created by |exit status \d|[\w./*()\[\]{}%~·-]+\(.*\)$)`)
	traceAfter = regexp.MustCompile(`^(?:Caused by: |Traceback \(most recent call last\)|During handling of the above exception|The above exception was the direct cause|Node\.js v\d)`)
)

// traceOf tells whether a line begins a trace.
func traceOf(l *logLine) trace {
	switch {
	case strings.HasPrefix(l.text, "Traceback (most recent call last)"):
		return pythonTrace
	case strings.HasPrefix(l.text, "panic: "), strings.HasPrefix(l.text, "fatal error: "):
		return goTrace
	case nodePlace.MatchString(l.text):
		return nodeTrace
	}
	return noTrace
}

// takes reports whether l belongs to the line before it: it is indented, or a
// part of its trace. A trace behind a line that is healthy is a failure of its own.
func (t *trace) takes(l, first *logLine) bool {
	indented := strings.HasPrefix(l.raw, " ") || strings.HasPrefix(l.raw, "\t")
	switch {
	case indented:
		return !strings.HasPrefix(first.raw, " ") && !strings.HasPrefix(first.raw, "\t")
	case first.healthy:
		return false
	case *t == pythonTrace || *t == nodeTrace:
		*t = tracedToEnd
		return true
	case traceAfter.MatchString(l.text):
		if kind := traceOf(l); kind != noTrace {
			*t = kind
		}
		return *t != noTrace || first.stamped || strings.Contains(first.text, "\n")
	case traceOf(l) != noTrace && first.stamped && *t == noTrace:
		*t = traceOf(l)
		return true
	}
	return *t == goTrace && goFrame.MatchString(l.text)
}
