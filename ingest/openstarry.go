package ingest

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// openStarry reads what OpenStarry's kernel says on its bus, its audit trail
// and the results of its tools, as JSON Lines. A failed call is told up to
// three times (tool:error, audit:tool_audited, action:executed) and counted
// once, when the kernel has judged it; a blocked call is no failure.
var openStarry = Format{
	Name:     openStarryName,
	About:    "JSON Lines of OpenStarry: bus events, audit trail, ToolExecutionResult",
	Coverage: Coverage{Attempts: true, Recoveries: true},
	Read:     readOpenStarry,
}

// openStarryName names the format, and the agent of its events.
const openStarryName = "openstarry"

// A starryEvent is a line of OpenStarry.
type starryEvent struct {
	kind    string
	time    time.Time
	agent   string
	session string
	payload document
	raw     rawDocument
	untimed bool // its time is that of what stands before it
}

func readOpenStarry(r io.Reader, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		bus := newStarryBus(o)
		for raw, err := range documents(r, o) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			bus.read(raw)
			if !bus.flush(yield) {
				return
			}
		}
		bus.close()
		bus.flush(yield)
	}
}

// A starryBus follows the calls of tools and the chains of their failures.
type starryBus struct {
	o        Options
	calls    []*starryCall           // not yet judged, in their order
	judged   map[string]bool         // ids of the calls that the loop judged in turns under way
	chains   map[string]*starryChain // by session and operation
	turns    map[string]starryTurn   // session: the turn that runs
	said     map[string]string       // session: the last failure of its loop
	warnings map[string]string       // session: what the safety monitor said
	near     time.Time               // of the last event
	out      []Record
}

// A starryTurn is one run of the loop of a session.
type starryTurn struct{ trace, model string }

func newStarryBus(o Options) *starryBus {
	return &starryBus{o: o, near: o.undated(), judged: map[string]bool{}, turns: map[string]starryTurn{}, chains: map[string]*starryChain{}, said: map[string]string{}, warnings: map[string]string{}}
}

// flush hands over the records that are ready.
func (b *starryBus) flush(yield func(Record, error) bool) bool {
	for _, record := range b.out {
		if !yield(record, nil) {
			return false
		}
	}
	b.out = b.out[:0]
	return true
}

func (b *starryBus) read(raw rawDocument) {
	d, err := parseDocument(raw.data)
	if raw.cut || err != nil {
		b.out = append(b.out, raw.bad(err, b.o))
		return
	}
	e := starryEvent{
		kind:    d.text("type", "event", "event_type"),
		agent:   cmp.Or(d.text("agentId", "agent", "agent_id"), openStarryName),
		payload: d.object("payload", "data"),
		raw:     raw,
	}
	if e.payload == nil || e.kind == "" {
		e.payload = d // the audit trail and results have no envelope
	}
	e.session = cmp.Or(e.payload.text("sessionId", "session_id", "session"), d.text("sessionId", "session_id", "session"))
	_, isResult := e.payload.flag("success")
	tool, outcome := e.audited()
	switch {
	case e.kind == "" && outcome == "" && !isResult:
		err = errors.New("not an event of OpenStarry: it has no type, and is no result of a tool")
	case !starryMatters(e.kind, outcome, isResult):
		return
	case isResult && e.kind == "" && d.text(timeNames...) == "":
		e.time, e.untimed = b.near, true // results carry no time: they came after what stands before them
		if e.time.IsZero() {
			err = errNoTime
		}
	case d.text(timeNames...) == "":
		e.time, err = e.payload.time(b.o.location(), timeNames...)
	default:
		e.time, err = d.time(b.o.location(), timeNames...)
	}
	if err != nil {
		b.out = append(b.out, raw.bad(err, b.o))
		return
	}
	b.near = e.time
	if e.session == "" && len(b.turns) == 1 { // audits do not name their session
		for e.session = range b.turns {
		}
	}
	b.handle(&e, tool, outcome)
}

// starryMatters says whether a kind of event tells of calls, chains or
// failures; the others (streaming, metrics, life cycle) are left out.
func starryMatters(kind, outcome string, isResult bool) bool {
	area, _, _ := strings.Cut(kind, ":")
	switch area {
	case "tool", "action", "safety", "sandbox", "loop", "provider", "state":
		return true
	case "stream", "plugin":
		return strings.HasSuffix(kind, ":error")
	}
	return outcome != "" || kind == "" && isResult
}

// audited returns what an audit says of a call: the bus tells it in members, the
// audit trail in a sentence, "tool:fs.read result:error".
func (e *starryEvent) audited() (tool, outcome string) {
	if kind := strings.TrimPrefix(e.kind, "audit:"); kind != "tool_audited" && kind != "" {
		return "", ""
	}
	p := e.payload
	if outcome = p.text("executionResult", "execution_result"); outcome != "" {
		return p.text("toolName", "tool", "name"), outcome
	}
	reasoning, ok := strings.CutPrefix(p.text("reasoning"), "tool:")
	if tool, outcome, ok2 := strings.Cut(reasoning, " result:"); ok && ok2 {
		return tool, outcome
	}
	return "", ""
}

// handle takes one event.
func (b *starryBus) handle(e *starryEvent, tool, outcome string) {
	p := e.payload
	switch {
	case outcome != "":
		b.audit(e, tool, outcome)
	case e.kind == "":
		b.result(e)
	case e.kind == "action:executed":
		b.executed(e)
	case strings.HasPrefix(e.kind, "tool:") || e.kind == "action:proposed":
		b.follow(e)
	case e.kind == "loop:started":
		delete(b.said, e.session)
		b.turns[e.session] = starryTurn{trace: p.text("traceId", "trace_id")}
	case e.kind == "loop:awaiting_llm":
		b.turns[e.session] = starryTurn{b.turns[e.session].trace, p.text("model")}
	case e.kind == "loop:finished" || e.kind == "state:reset":
		b.endTurn(e)
	case e.kind == "safety:warning":
		b.warnings[e.session] = p.text("warning", "message", "reason", "error", "text")
	case e.kind == "safety:lockout":
		b.lockout(e)
	case strings.HasPrefix(e.kind, "sandbox:"):
		b.sandbox(e)
	case strings.HasSuffix(e.kind, ":error"):
		b.broken(e)
	}
}

// result takes the result of a tool that stands for itself.
func (b *starryBus) result(e *starryEvent) {
	passed, _ := e.payload.flag("success")
	call := &starryCall{session: e.session, agent: e.agent, alone: e.session == ""}
	call.learn(e.payload)
	call.name = cmp.Or(call.name, e.payload.text("error.source", "source"))
	b.judge(call, e, passed)
}

// broken takes a failure of the loop, of the provider or of a plugin. Several
// parts tell of the same failure; it is counted once in a turn.
func (b *starryBus) broken(e *starryEvent) {
	message := errorText(e.payload)
	if said, ok := b.said[e.session]; ok && said == message {
		return
	}
	b.said[e.session] = message
	operation := map[string]string{"loop:error": "agent.loop", "plugin:error": "plugin"}[e.kind]
	b.emit(e, Event{
		Operation: cmp.Or(operation, "provider.chat"),
		Component: e.payload.text("name", "component"),
		Code:      e.payload.text("code", "error.code"),
		Message:   message,
		Provider:  e.payload.text("providerId", "provider"),
		Model:     e.payload.text("model"),
	})
}

// lockout takes the safety monitor's stop of a run: a failure of the loop that
// also ends what the run was trying.
func (b *starryBus) lockout(e *starryEvent) {
	message := errorText(e.payload)
	if strings.Contains(message, "is in safety lockout") { // an input that came while it was locked
		return
	}
	for _, key := range slices.Sorted(maps.Keys(b.chains)) {
		if chain := b.chains[key]; chain.session == e.session && !chain.worker {
			b.emit(e, chain.ending("stopped"))
			delete(b.chains, key)
		}
	}
	b.emit(e, Event{Operation: "agent.loop", Component: "safety-monitor", Code: "SAFETY_LOCKOUT", Message: message, Resolution: "stopped"})
}

// emit adds a record for ev, which e tells.
func (b *starryBus) emit(e *starryEvent, ev Event) {
	ev.Time, ev.Agent, ev.Session, ev.Source = e.time, e.agent, cmp.Or(ev.Session, e.session), openStarryName
	ev.Message = shorten(ev.Message)
	turn := b.turns[ev.Session]
	ev.TraceID, ev.Model = cmp.Or(e.payload.text("traceId", "trace_id"), turn.trace), cmp.Or(ev.Model, turn.model)
	if e.untimed {
		ev.ID = contentName("r-", b.o.Name, e.raw.at(b.o), string(e.raw.data))
	}
	b.out = append(b.out, e.raw.record(ev, b.o))
}
