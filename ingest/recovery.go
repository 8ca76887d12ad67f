package ingest

import (
	"io"
	"iter"
	"slices"
	"strings"
	"time"
)

// recovery reads the log of the recovery agent, a LangChain agent that answers
// a malformed function call by compressing its history and running again. A run
// with its reruns is one incident.
var recovery = Format{
	Name:     recoveryName,
	About:    "log lines of the recovery agent ([AGENT] …)",
	Coverage: Coverage{Attempts: true, Recoveries: true},
	Read:     readRecovery,
}

const recoveryName = "recovery"

// The agent and the operation of the format's events.
const (
	recoveryAgent     = "recovery-agent"
	recoveryOperation = "agent.run"
)

func readRecovery(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		log := &recoveryLog{o: o}
		readLog(logLines(r, o), log.read, log.close, &log.out, yield)
	}
}

// A recoveryLog follows the runs of a log, which come one after the other.
type recoveryLog struct {
	o      Options
	run    *recoveryRun // nil: none failed
	tokens Opt[int64]   // of the last message, until its stop is told
	out    []Record
}

// A recoveryRun is a run that failed, with its reruns.
type recoveryRun struct {
	incident   string
	attempts   int64
	max        Opt[int64]
	wait       Opt[int64] // before the next attempt
	compressed bool
	rerun      bool // one has begun since the last failure
	reason     string
	saved      Opt[int64]
	partial    bool
	ended      Kind      // what the log last said of its end; "": nothing
	last       logLine   // that told the end, or the latest failure
	seen       time.Time // of its latest line
}

// How long after its last line a log may still speak of a run: a rerun is done
// within the hour, and the verdict on a run that has ended follows at once.
const (
	rerunGap   = time.Hour
	verdictGap = time.Minute
)

// expire closes the run when a line of this time cannot be about it.
func (g *recoveryLog) expire(at time.Time) {
	if g.run == nil {
		return
	}
	gap := rerunGap
	if g.run.ended != "" {
		gap = verdictGap
	}
	if at.Sub(g.run.seen) > gap {
		g.close()
		return
	}
	g.run.seen = at
}

// recoveryMarks stand in every line that is read further; logs are long, and
// most of their lines tell of other things.
var recoveryMarks = []string{"[AGENT]", "retry", "リトライ", "tokens)", "uccess", "保存", "saved", "正常終了", "完了"}

func (g *recoveryLog) read(l logLine) {
	l.readJSON(g.o)
	if !slices.ContainsFunc(recoveryMarks, func(mark string) bool { return strings.Contains(l.said, mark) }) {
		return
	}
	said := l.said
	if i := strings.Index(said, "[AGENT]"); i >= 0 {
		said = strings.TrimSpace(said[i+len("[AGENT]"):])
	}
	for i := range recoveryLines {
		line := &recoveryLines[i]
		m := line.pattern.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		if l.err != nil {
			g.out = append(g.out, l.bad(l.err, g.o))
			return
		}
		l.said = said
		g.expire(l.time)
		line.take(g, &l, m)
		return
	}
	if l.err != nil && strings.Contains(l.raw, "[AGENT]") {
		g.out = append(g.out, l.bad(l.err, g.o))
	}
}

// close ends the last run as far as the log tells.
func (g *recoveryLog) close() {
	run := g.run
	g.run = nil
	if run == nil || run.ended == "" {
		return
	}
	e := g.event(run, run.ended)
	if run.saved.Known {
		e.Attrs["saved_functions_count"] = itoa(run.saved.V)
	}
	switch {
	case run.ended == Success:
		e.Attempt = Some(run.attempts + 1)
		if run.compressed {
			e.Resolution = "compressed"
		}
	case run.partial && (!run.saved.Known || run.saved.V > 0):
		e.Resolution = "partial"
	default:
		e.Resolution = "abandoned"
	}
	g.emit(e, &run.last)
}

// event begins an event of the run.
func (g *recoveryLog) event(run *recoveryRun, kind Kind) Event {
	return Event{
		Kind: kind, Agent: recoveryAgent, Source: recoveryName, Operation: recoveryOperation,
		Incident: run.incident, MaxRetries: run.max, Attrs: map[string]string{},
	}
}

func (g *recoveryLog) emit(e Event, l *logLine) {
	e.Time = l.time
	e.ID = l.id(g.o, recoveryAgent, string(e.Kind))
	if e.Time.IsZero() {
		g.out = append(g.out, l.bad(errNoTime, g.o))
		return
	}
	g.out = append(g.out, g.o.record(e, []byte(l.raw), l.number))
}
