package ingest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// maxStarryCalls bounds how many calls wait for their judgement; a kernel makes
// one at a time in each session.
const maxStarryCalls = 256

// A starryCall is a call of a tool between its start and its judgement.
type starryCall struct {
	id, name, session, agent string
	args                     string
	code, message, advice    string
	source                   string
	failed                   bool // a part of the kernel said so
	returned                 bool // the tool gave a result
	blocked                  bool // never made
	alone                    bool // nothing tells which calls it belongs to
	audited                  bool // judged, and waiting for action:executed
	event                    *starryEvent
	began                    time.Time // when the tool was started; zero: not told
}

// A starryChain joins the failed calls of one tool in one session, until one of
// them passes or the turn ends: the model has read the error and tries again.
type starryChain struct {
	session, operation, incident string
	attempts                     int64
	last                         time.Time // of its latest attempt
	worker                       bool      // of a plugin's worker, which outlives turns
}

// turnGap ends a chain that no event ends: a turn that is silent for so long is
// over, since a model's answer and a tool's run are limited to minutes.
const turnGap = 10 * time.Minute

// learn takes what a payload says of the call.
func (c *starryCall) learn(p document) {
	c.id = cmp.Or(p.text("toolCallId", "tool_call_id", "callId", "actionId"), c.id)
	c.name = cmp.Or(p.text("toolName", "name", "tool", "action.name"), c.name)
	if args := p.value("arguments", "args", "action.arguments"); args != nil {
		if text, err := json.Marshal(args); err == nil {
			c.args = contentName("", string(text))[:16]
		}
	}
	result := p
	if inner := p.object("result"); inner != nil {
		result = inner
	} else if inner, err := parseDocument([]byte(p.text("result"))); err == nil {
		result = inner
	}
	passed, told := result.flag("success")
	if told && !passed || result.value("error") != nil {
		c.failed = true
		c.code = cmp.Or(result.text("error.code", "code"), c.code)
		c.message = cmp.Or(errorText(result), c.message)
		c.source = cmp.Or(result.text("error.source"), c.source)
		c.advice = cmp.Or(result.text("error.suggestion", "suggestion"), c.advice)
	}
}

// follow takes an event of a call that does not judge it. What comes after the
// judgement, as on a bus that several parts write to, says nothing new.
func (b *starryBus) follow(e *starryEvent) {
	if id := e.payload.text("toolCallId", "tool_call_id", "callId", "actionId"); b.judged[id] {
		return
	}
	call := b.open(e)
	call.learn(e.payload)
	call.event = e
	switch e.kind {
	case "tool:executing":
		call.began = e.time
	case "tool:error":
		call.failed = true
	case "tool:result":
		call.returned = true
	case "tool:blocked":
		call.blocked, call.failed = true, false
	}
}

// open returns the call that e is about: the one with its id, or the last of
// its name that is not judged; else a new one.
func (b *starryBus) open(e *starryEvent) *starryCall {
	id := e.payload.text("toolCallId", "tool_call_id", "callId", "actionId")
	name := e.payload.text("toolName", "name", "tool", "action.name")
	begins := e.kind == "action:proposed" || e.kind == "tool:executing"
	call := b.last(func(c *starryCall) bool {
		if id != "" && c.id != "" {
			return c.id == id
		}
		// A proposal has no id, and is followed by the execution.
		return c.name == name && c.session == cmp.Or(e.session, c.session) && !c.audited && !c.blocked && (!begins || c.id == "" && !c.failed && c.event.kind != e.kind)
	})
	if call == nil {
		b.calls = slices.DeleteFunc(b.calls, func(c *starryCall) bool { return c.blocked })
		if len(b.calls) == maxStarryCalls {
			b.settle(b.calls[0])
		}
		call = &starryCall{event: e, agent: e.agent}
		b.calls = append(b.calls, call)
	}
	call.session = cmp.Or(e.session, call.session)
	return call
}

// last returns the latest call that fits, or nil.
func (b *starryBus) last(fits func(*starryCall) bool) *starryCall {
	for _, call := range slices.Backward(b.calls) {
		if fits(call) {
			return call
		}
	}
	return nil
}

// audit takes the judgement of an audit. The kernel follows it with
// action:executed, which says the same without a name.
func (b *starryBus) audit(e *starryEvent, tool, outcome string) {
	call := b.last(func(c *starryCall) bool { return c.name == tool && !c.audited && !c.blocked })
	if call == nil {
		call = &starryCall{name: tool, session: e.session, agent: e.agent}
		if e.kind == "audit:tool_audited" {
			b.calls = append(b.calls, call)
		}
	}
	call.audited = true
	call.name = cmp.Or(call.name, tool)
	b.judge(call, e, !strings.EqualFold(outcome, "error") && !strings.HasPrefix(strings.ToLower(outcome), "fail"))
	if len(b.calls) > maxStarryCalls {
		b.calls = b.calls[1:]
	}
}

// executed takes the judgement of the loop, unless an audit has told it.
func (b *starryBus) executed(e *starryEvent) {
	name := e.payload.text("toolName", "name", "tool", "action.name")
	id := e.payload.text("toolCallId", "tool_call_id", "callId")
	call := b.last(func(c *starryCall) bool {
		return (id == "" || c.id == "" || c.id == id) && (name == "" || c.name == "" || c.name == name) && (e.session == "" || c.session == "" || c.session == e.session)
	})
	if call == nil {
		call = &starryCall{session: e.session, agent: e.agent}
	}
	b.drop(call)
	if id = cmp.Or(id, call.id); id != "" {
		if len(b.judged) == maxStarryCalls {
			clear(b.judged) // their turn told no end
		}
		b.judged[id] = true
	}
	if call.audited || call.blocked {
		return
	}
	call.learn(e.payload)
	passed, told := e.payload.flag("success")
	if !told {
		passed = !call.failed
	}
	b.judge(call, e, passed)
}

func (b *starryBus) drop(call *starryCall) {
	b.calls = slices.DeleteFunc(b.calls, func(c *starryCall) bool { return c == call })
}

// settle lets go a call that nobody judged; older kernels say no more than
// tool:result and tool:error.
func (b *starryBus) settle(call *starryCall) {
	b.drop(call)
	if (call.failed || call.returned) && !call.audited && !call.blocked {
		b.judge(call, call.event, !call.failed)
	}
}

// endTurn settles the calls of a turn, and forgets its chains: the next turn is
// about something else. What did not pass stays open.
func (b *starryBus) endTurn(e *starryEvent) {
	for _, call := range slices.Clone(b.calls) {
		if e.session == "" || call.session == e.session {
			b.settle(call)
		}
	}
	delete(b.turns, e.session)
	if len(b.turns) == 0 {
		clear(b.judged)
	}
	for key, chain := range b.chains {
		if !chain.worker && (e.session == "" || chain.session == e.session) {
			delete(b.chains, key)
		}
	}
}

// close settles what the file leaves open.
func (b *starryBus) close() {
	for _, call := range slices.Clone(b.calls) {
		b.settle(call)
	}
}

// judge makes an event of a judged call: its failure, or the success of a tool
// that had failed before.
func (b *starryBus) judge(call *starryCall, e *starryEvent, passed bool) {
	session := cmp.Or(call.session, e.session)
	key := call.agent + "\x00" + session + "\x00" + call.name
	chain := b.chains[key]
	if chain != nil && e.time.Sub(chain.last) > turnGap {
		delete(b.chains, key)
		chain = nil
	}
	if passed {
		if chain != nil && !call.alone {
			delete(b.chains, key)
			ev := chain.next(e)
			ev.Kind, ev.ArgsHash, ev.DurationMS = Success, call.args, call.took(e)
			b.emit(e, ev)
		}
		return
	}
	if call.alone || call.name == "" {
		chain = &starryChain{session: session, operation: call.name}
	} else if chain == nil {
		chain = &starryChain{session: session, operation: call.name, incident: contentName("call-", key, stamp(e.time), call.id, call.args, call.message)}
		b.chains[key] = chain
	}
	ev := chain.next(e)
	ev.ArgsHash, ev.Code, ev.Message, ev.Component = call.args, call.code, call.message, call.source
	ev.DurationMS = call.took(e)
	ev.Attrs = map[string]string{}
	for name, text := range map[string]string{
		"suggestion": call.advice, "call": call.id, "safety_warning": b.warnings[session],
		"risk": e.payload.text("inferredRiskCategory", "riskCategory"), "gear": e.payload.text("gear"),
	} {
		if text != "" {
			ev.Attrs[name] = text
		}
	}
	delete(b.warnings, session)
	b.emit(e, ev)
}

// took is how long the call took, when its start is known.
func (c *starryCall) took(e *starryEvent) Opt[int64] {
	if took := e.time.Sub(c.began); !c.began.IsZero() && took >= 0 {
		return Some(took.Milliseconds())
	}
	return Opt[int64]{}
}

// next begins the event of the chain's next attempt. A call that stands alone
// does not tell which attempt it was.
func (c *starryChain) next(e *starryEvent) Event {
	c.attempts++
	c.last = e.time
	ev := Event{Operation: c.operation, Session: c.session, Incident: c.incident}
	if c.incident != "" {
		ev.Attempt = Some(c.attempts)
	}
	return ev
}

// ending is the end of the chain without success.
func (c *starryChain) ending(resolution string) Event {
	return Event{Kind: End, Operation: c.operation, Session: c.session, Incident: c.incident, Resolution: resolution}
}
