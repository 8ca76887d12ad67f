package ingest

import (
	"cmp"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"hansei/ingest/otlp"
)

// otelFormat reads exceptions and errors by the conventions of OpenTelemetry,
// from any program: exception.*, error.type, and those for generative AI.
var otelFormat = Format{
	Name:     otelName,
	About:    "OpenTelemetry: exceptions and errors in OTLP/JSON files of logs and spans",
	Coverage: Coverage{Attempts: true, Recoveries: true},
	Read:     readDialect(otelName, newOTel),
}

const otelName = "otel"

// severityError is the least severity of an error: the specification's ERROR.
const severityError = 17

var errNotOTLP = errors.New("not OTLP: a document has resourceLogs or resourceSpans")

func newOTel(resend bool) dialect {
	o := &otelDialect{fromZero: fromZero{}}
	o.attempts.resend = resend
	return o
}

// otelDialect joins spans of one name below one span: when some failed and a
// later one passed, these are the attempts of one request. A span that fails
// because one within it did is the same failure.
type otelDialect struct {
	attempts chains
	fromZero fromZero // by agent and component
}

func (o *otelDialect) value([]byte, origin) ([]Event, error) { return nil, errNotOTLP }

func (o *otelDialect) otel(r *otlp.Record) []Event {
	e := otelEvent(r)
	e.Attempt = o.fromZero.attempt(e.Agent+"\n"+e.Component, e.Attempt)
	if r.Span {
		return o.span(r, e)
	}
	return o.log(r, e)
}

// attr returns the first of the attributes that r has.
func attr(attrs map[string]string, names ...string) string {
	for _, name := range names {
		if attrs[name] != "" {
			return attrs[name]
		}
	}
	return ""
}

// otelEvent fills what the conventions name.
func otelEvent(r *otlp.Record) Event {
	a := r.Attrs
	e := Event{
		Time: r.Time, TraceID: r.TraceID,
		Agent:     cmp.Or(r.Resource["service.name"], a["gen_ai.agent.name"], otelName),
		Session:   cmp.Or(attr(a, "session.id", "gen_ai.conversation.id", "conversation.id"), r.Resource["session.id"]),
		Operation: cmp.Or(attr(a, "gen_ai.tool.name", "gen_ai.operation.name", "rpc.method"), r.Name),
		Component: r.Scope,
		Provider:  attr(a, "gen_ai.provider.name", "gen_ai.system"),
		Model:     attr(a, "gen_ai.response.model", "gen_ai.request.model"),
		Tokens:    sum(attr(a, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"), attr(a, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")),
		Attempt:   whole(attr(a, "attempt", "retry.attempt", "retry_attempt")),
	}
	if resent := whole(attr(a, "http.request.resend_count", "http.resend_count", "retry.count", "retry_count")); !e.Attempt.Known && resent.Known {
		e.Attempt = Some(resent.V + 1) // attempt 1 is sent, not sent again
	}
	e.MaxRetries = whole(attr(a, "max_retries", "retry.max"))
	if e.DurationMS = whole(a["duration_ms"]); r.Duration > 0 {
		e.DurationMS = Some(r.Duration.Milliseconds())
	}
	e.addAttr("version", r.Resource["service.version"])
	e.addAttr("call_id", a["gen_ai.tool.call.id"])
	if r.SpanID != "" {
		e.addAttr("span_id", r.SpanID)
	}
	return e
}

// setError takes what the conventions say about an error.
func (e *Event) setError(attrs map[string]string, said ...string) {
	if status := whole(attr(attrs, "http.response.status_code", "http.status_code")); status.Known && status.V >= 400 {
		e.Status = attr(attrs, "http.response.status_code", "http.status_code")
	}
	e.Code = cmp.Or(attr(attrs, "error.type", "exception.type", "error.code"), e.Code, e.Status, attr(attrs, "rpc.grpc.status_code"))
	e.Message = attr(attrs, "exception.message", "error.message")
	for _, text := range said {
		e.Message = cmp.Or(e.Message, text)
	}
	if e.Message = strings.TrimSpace(e.Message); e.Message == "" {
		e.Message = cmp.Or(e.Code, e.Operation+" failed")
	}
	if kind := attrs["exception.type"]; kind != "" && !strings.Contains(e.Message, kind) {
		e.Message = kind + ": " + e.Message
	}
	e.Detail = attrs["exception.stacktrace"]
}

// otelID is that of an error within a span, from its log and its span alike.
func otelID(r *otlp.Record, e *Event) string {
	if r.TraceID == "" || r.SpanID == "" {
		return ""
	}
	return stableID(otelName, r.TraceID, r.SpanID, hashArgs(e.Message))
}

// log reads a log record: one that holds an exception or error, or is an error
// by its severity. One of a request that passed ends the attempts before it.
func (o *otelDialect) log(r *otlp.Record, e Event) []Event {
	l := link{key: cmp.Or(r.TraceID, e.Session) + "\n" + r.SpanID + "\n" + e.Operation, by: byLog}
	failed := r.Severity >= severityError || r.Name == "exception" ||
		attr(r.Attrs, "exception.type", "exception.message", "error.type") != ""
	if !failed {
		return o.attempts.pass(l, &e)
	}
	e.setError(r.Attrs, r.Body)
	e.ID = otelID(r, &e)
	if l.key == "\n\n"+e.Operation || !e.Attempt.Known {
		identify(&e)
		return []Event{e} // nothing joins it to others
	}
	if attempt, ok := o.attempts.attemptOf(l, e.ID); ok && attempt != e.Attempt.V {
		e.ID = stableID(e.ID, "attempt", strconv.FormatInt(e.Attempt.V, 10)) // the same error once more, within one span
	}
	return o.attempts.fail(l, &e)
}

// span reads a span. Exceptions in one that ended well are attempts that failed
// before it passed.
func (o *otelDialect) span(r *otlp.Record, e Event) []Event {
	l := o.siblings(r, &e)
	failed := r.Failed || r.Attrs["error.type"] != ""
	if failed {
		if events, within := o.within(r, l, e); within {
			return events
		}
	}
	var events []Event
	exceptions := exceptionsOf(r)
	if len(exceptions) == 0 && failed {
		e.setError(r.Attrs, r.Status)
		e.ID = otelID(r, &e)
		return o.attempts.fail(l, &e)
	}
	for i, exception := range exceptions {
		try := e
		try.Time, try.Attrs = firstTime(exception.Time, e.Time), copyAttrs(e.Attrs)
		if !failed || i < len(exceptions)-1 {
			try.Attempt, try.Tokens, try.DurationMS = Opt[int64]{}, Opt[int64]{}, Opt[int64]{}
		}
		if failed {
			try.setError(merged(exception.Attrs, r.Attrs), r.Status)
		} else {
			try.setError(exception.Attrs)
		}
		if try.ID = otelID(r, &try); i > 0 && try.ID != "" {
			try.ID = stableID(try.ID, strconv.Itoa(i))
		}
		events = append(events, o.attempts.fail(l, &try)...)
	}
	if !failed {
		e.Time = e.Time.Add(r.Duration)
		if len(exceptions) > 0 {
			e.Attempt = Opt[int64]{}
		}
		events = append(events, o.attempts.pass(l, &e)...)
	}
	return events
}

// siblings links the spans of one name below one span.
func (o *otelDialect) siblings(r *otlp.Record, e *Event) link {
	return link{key: r.TraceID + "\n" + cmp.Or(r.ParentID, "root "+r.SpanID) + "\n" + e.Operation, count: true}
}

// within reports whether a span failed because one within it did. That failure
// then goes on as that of the span; at the root of the trace it has ended.
func (o *otelDialect) within(r *otlp.Record, l link, e Event) ([]Event, bool) {
	inner := r.TraceID + "\n" + r.SpanID + "\n"
	key, ok := o.attempts.latest(inner, failing)
	if r.SpanID == "" || !ok {
		return nil, false
	}
	if r.ParentID != "" {
		o.attempts.move(key, l.key)
		return nil, true
	}
	e.Time = e.Time.Add(r.Duration)
	e.setError(r.Attrs, r.Status)
	e.Attempt = Opt[int64]{}
	return o.attempts.end(link{key: key, by: byEnd}, &e), true
}

// recordedTwice is how close in time the same exception is when the library and
// its user both record it. A retry waits longer.
const recordedTwice = 10 * time.Millisecond

// exceptionsOf returns the exceptions of a span; one that was recorded twice is one.
func exceptionsOf(r *otlp.Record) []otlp.Event {
	var list []otlp.Event
	for _, event := range r.Events {
		if event.Name != "exception" && attr(event.Attrs, "exception.type", "exception.message") == "" {
			continue
		}
		if n := len(list); n > 0 && sameError(list[n-1], event) {
			continue
		}
		list = append(list, event)
	}
	return list
}

func sameError(a, b otlp.Event) bool {
	return b.Time.Sub(a.Time) < recordedTwice &&
		a.Attrs["exception.type"] == b.Attrs["exception.type"] && a.Attrs["exception.message"] == b.Attrs["exception.message"]
}

// merged is a with what only b has.
func merged(a, b map[string]string) map[string]string {
	all := copyAttrs(b)
	maps.Copy(all, a)
	return all
}

func copyAttrs(attrs map[string]string) map[string]string {
	all := maps.Clone(attrs)
	if all == nil {
		all = map[string]string{}
	}
	return all
}
