package ingest

import (
	"cmp"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"
)

// monadic reads what Monadic Chat writes of failures: log lines of its network
// retries, errors in its uniform wording, and what its tools returned, as text
// or as JSON. Retries that passed leave no line in the log.
var monadic = Format{
	Name:     monadicName,
	About:    "Monadic Chat: log lines of network retries, and returns of tools as text or JSON Lines",
	Coverage: Coverage{Attempts: true},
	Read:     readMonadic,
}

// monadicName names the format, and the agent of its events.
const monadicName = "monadic"

func readMonadic(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		log := &monadicLog{o: o, chains: map[string]*monadicChain{}}
		readLog(logOrDocuments(r, o), log.read, log.finish, &log.out, yield)
	}
}

// A monadicLog holds what later lines may add to.
type monadicLog struct {
	o       Options
	held    *heldError               // whose further lines may follow
	network monadicChain             // of the network retries
	chains  map[string]*monadicChain // of tools, by session and name
	out     []Record
}

// A heldError is an error whose text may go on in the next lines.
type heldError struct {
	event Event
	line  logLine
	more  []string
}

// A monadicChain joins the attempts of one call.
type monadicChain struct {
	incident string
	attempts int64
	max, due Opt[int64] // the cap, and the wait before the next attempt
	last     time.Time
}

func (g *monadicLog) read(l logLine) {
	switch {
	case strings.HasPrefix(l.said, "{") || strings.HasPrefix(l.said, "["):
		g.finish()
		g.readReturn(l)
	case networkRetry.MatchString(l.said), networkExhausted.MatchString(l.said), strings.HasPrefix(l.said, "Network error ("):
		g.finish()
		g.readNetwork(l)
	case isToolError(l.said):
		g.finish()
		g.hold(l)
	case g.held != nil && !l.stamped && len(g.held.more) < maxHeldLines:
		g.held.more = append(g.held.more, strings.TrimRight(PlainText(l.raw), " \t\r"))
	default:
		g.finish()
	}
}

// maxHeldLines bounds the further lines of an error: a traceback and its output.
const maxHeldLines = 400

// uniformError is the wording of Monadic's error formatter.
var uniformError = regexp.MustCompile(`^\[([^\]]+)\] ((?:Configuration|API|Network|Timeout|Parsing|Validation|Tool Execution|Unknown) Error): (.*?)(?: Suggestion: (.*?))?(?: \(Code: ([^)]*)\))?$`)

// toolErrors begin what a tool returns when it failed.
var toolErrors = []string{"ERROR:", "Error:", "Error executing", "Error occurred", "❌", "Unexpected error (not retryable):", "JSON parse error (not retryable):"}

func isToolError(said string) bool {
	for _, prefix := range toolErrors {
		if strings.HasPrefix(said, prefix) {
			return true
		}
	}
	return uniformError.MatchString(said)
}

// hold keeps an error until its last line is known.
func (g *monadicLog) hold(l logLine) {
	if l.err != nil {
		g.out = append(g.out, l.bad(l.err, g.o))
		return
	}
	e := Event{}
	e.readToolError(l.said)
	g.held = &heldError{event: e, line: l}
}

// finish lets go the error that was held.
func (g *monadicLog) finish() {
	held := g.held
	g.held = nil
	if held == nil {
		return
	}
	if len(held.more) > 0 {
		held.event.addText(strings.Join(held.more, "\n"))
	}
	g.emit(held.event, &held.line, "")
}

// readToolError takes the text of an error apart.
func (e *Event) readToolError(said string) {
	said, rest, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if m := uniformError.FindStringSubmatch(said); m != nil {
		e.Provider, e.Status, e.Code = strings.ToLower(m[1]), m[2], m[5]
		if m[4] != "" {
			e.Attrs = map[string]string{"suggestion": m[4]}
		}
		if tool, _, ok := strings.Cut(m[3], ": "); ok && m[2] == "Tool Execution Error" && !strings.Contains(tool, " ") {
			e.Operation = tool
		}
	}
	e.Message = shorten(said)
	if rest = strings.TrimSpace(rest); rest != "" {
		e.addText(rest)
	}
}

// addText adds the further lines of an error. A mere headline gets the last of
// them, where tracebacks tell the cause.
func (e *Event) addText(more string) {
	more = strings.TrimSpace(more)
	if headline := strings.TrimSuffix(e.Message, ":"); headline != e.Message && more != "" {
		last := more[strings.LastIndexByte(more, '\n')+1:]
		e.Message = shorten(headline + ": " + strings.TrimSpace(last))
	}
	e.Detail = more
}

// emit adds a record for e, which l tells; role tells apart two events of a line.
func (g *monadicLog) emit(e Event, l *logLine, role string) {
	e.Time, e.Agent, e.Source = l.time, monadicName, monadicName
	if e.Operation == "" && e.Incident == "" && (e.Status == "" || e.Status == "Tool Execution Error") {
		e.Operation = "tool" // one that the text does not name
	}
	e.Operation = cmp.Or(e.Operation, "chat")
	e.ID = l.id(g.o, monadicName, role)
	if e.Time.IsZero() {
		g.out = append(g.out, l.bad(errNoTime, g.o))
		return
	}
	g.out = append(g.out, g.o.record(e, []byte(l.raw), l.number))
}
