package ingest

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"hansei/ingest/otlp"
)

// codex reads what Codex CLI tells of its failures: log events of
// OpenTelemetry, the lines of exec --json, and rollout files.
var codex = Format{
	Name:     codexName,
	About:    "Codex CLI: OTLP logs, exec --json, rollout files",
	Coverage: Coverage{Attempts: true, Final: true, Recoveries: true},
	Read:     readDialect(codexName, newCodex),
}

// codexName names the format, and the agent of its events.
const codexName = "codex"

func newCodex(resend bool) dialect {
	c := &codexDialect{calls: map[string]codexCall{}, fromZero: fromZero{}}
	c.requests.resend, c.streams.resend, c.tools.resend = resend, resend, resend
	return c
}

// codexDialect is the dialect of Codex. A request that was answered still
// streams its answer, which may break off: those are chains of their own.
type codexDialect struct {
	requests chains // HTTP requests, by conversation
	streams  chains // answers, by conversation
	tools    chains // calls with the same arguments

	fromZero fromZero             // by conversation
	thread   string               // of the lines that follow
	model    string               // of the lines that follow
	version  string               // of the program
	calls    map[string]codexCall // under way in a rollout, by id
}

// A codexCall is a call whose output is not read yet.
type codexCall struct {
	name  string
	input loose
}

// otel reads a log event. Spans carry the same events, and are left out.
func (c *codexDialect) otel(r *otlp.Record) []Event {
	if r.Span {
		return nil
	}
	e := Event{
		Time: firstTime(otlp.ParseTime(r.Attrs["event.timestamp"]), r.Time), Agent: codexName, Session: r.Attrs["conversation.id"],
		Model: cmp.Or(r.Attrs["model"], r.Attrs["slug"]), DurationMS: whole(r.Attrs["duration_ms"]), TraceID: r.TraceID,
	}
	e.addAttr("version", cmp.Or(r.Attrs["app.version"], r.Resource["service.version"]))
	said := cmp.Or(r.Attrs["error.message"], r.Attrs["error"])
	stream := link{key: e.Session, by: byLog, count: true}
	switch name := strings.TrimPrefix(cmp.Or(r.Name, r.Body), "codex."); name {
	case "api_request", "websocket_connect":
		return c.request(r, e, name, said)
	case "sse_event", "websocket_request", "websocket_event":
		e.Operation, e.Step, e.Message = "api_stream", r.Attrs["event.kind"], said
		if failed := said != "" || falsity(r.Attrs["success"]) || e.Step == "response.failed"; failed {
			e.Code = errorType(said)
			e.Message = cmp.Or(said, name+" failed")
			return c.streams.fail(stream, &e)
		}
		if e.Step == "response.completed" {
			e.Tokens = sum(r.Attrs["input_token_count"], r.Attrs["output_token_count"])
			return c.streams.pass(stream, &e)
		}
	case "tool_result":
		e.Operation, e.ArgsHash = r.Attrs["tool_name"], hashArgs(r.Attrs["arguments"])
		e.addAttr("mcp_server", r.Attrs["mcp_server"])
		return c.result(r.Attrs["call_id"], cmp.Or(r.Attrs["output"], said), falsity(r.Attrs["success"]), e)
	case "tool_decision":
		e.Operation = r.Attrs["tool_name"]
		return c.decision(r.Attrs["call_id"], strings.ToLower(r.Attrs["decision"]), r.Attrs["source"], e)
	}
	return nil
}

// resume knows an answer that was under way.
func (c *codexDialect) resume(e Event, by teller) { c.streams.resume(link{key: e.Session, by: by}, e) }

// request reads an attempt of an HTTP request, failed or not.
func (c *codexDialect) request(r *otlp.Record, e Event, name, said string) []Event {
	status := whole(cmp.Or(r.Attrs["http.response.status_code"], r.Attrs["status_code"], r.Attrs["http.status_code"]))
	e.Operation, e.Attempt = name, c.fromZero.attempt(e.Session, whole(r.Attrs["attempt"]))
	e.addAttr("endpoint", r.Attrs["endpoint"])
	l := link{key: e.Session + "\n" + name, by: byLog, count: true}
	if said == "" && !falsity(r.Attrs["success"]) && (!status.Known || status.V < 400) {
		e.Attempt = Opt[int64]{} // it follows those that failed
		return c.requests.pass(l, &e)
	}
	if status.Known {
		e.Code = strconv.FormatInt(status.V, 10)
		e.Status = e.Code
	}
	e.Code = cmp.Or(e.Code, r.Attrs["auth.error_code"], errorType(said))
	e.Message = cmp.Or(said, r.Attrs["auth.error"], strings.TrimSpace("HTTP status "+e.Status))
	return c.requests.fail(l, &e)
}

// result is the outcome of a tool call.
func (c *codexDialect) result(id, output string, failed bool, e Event) []Event {
	if id != "" {
		e.ID = stableID(codexName, "tool", id)
	}
	l := link{key: e.Session + "\n" + e.Operation + "\n" + e.ArgsHash, count: true}
	if !failed {
		if e.ArgsHash == "" {
			return nil
		}
		return c.tools.pass(l, &e)
	}
	if m := exited.FindStringSubmatch(output[:min(len(output), 1<<10)]); m != nil {
		e.Code = cmp.Or(e.Code, "exit_"+m[1])
	}
	e.setOutput(cmp.Or(output, "the tool failed; its output is empty"))
	if e.ArgsHash == "" {
		return []Event{e}
	}
	return c.tools.fail(l, &e)
}

// decision tells of calls that were not let.
func (c *codexDialect) decision(id, decision, source string, e Event) []Event {
	if id != "" {
		e.ID = stableID(codexName, "tool", id)
	}
	e.Code = decision
	switch {
	case strings.HasPrefix(decision, "denied"), strings.HasPrefix(decision, "reject"), decision == "declined", decision == "timed_out":
		e.Message = "permission denied: " + decision + " by " + strings.ToLower(cmp.Or(source, "the user"))
	case strings.HasPrefix(decision, "abort"):
		e.Message = "interrupted by the user: aborted when asked"
	default:
		return nil
	}
	return []Event{e}
}

// retrying is how Codex writes which retry follows an error, and when.
var retrying = regexp.MustCompile(`(?i)(?:retrying(?: turn)?|reconnecting)\W*(\d+)\s*/\s*(\d+)(?:\W+in (\d+(?:\.\d+)?)(ms|s)\b)?`)

// setRetry reads the text about a retry: retry n follows attempt n, so attempt
// n has failed.
func (e *Event) setRetry(text string) (next Opt[int64], ok bool) {
	m := retrying.FindStringSubmatch(text)
	if m == nil {
		return next, false
	}
	e.Attempt, e.MaxRetries = whole(m[1]), whole(m[2])
	if wait := decimal(m[3]); wait.Known {
		if m[4] == "s" {
			wait.V *= 1000
		}
		next = Some(int64(wait.V))
	}
	return next, true
}

// value reads a line: of exec --json, of a rollout, or of the older exec.
func (c *codexDialect) value(data []byte, o origin) ([]Event, error) {
	var line codexLine
	if err := fill(data, &line); err != nil {
		return nil, err
	}
	if line.Type == "" && line.Msg == "" && line.ID == "" {
		return nil, errNotCodex
	}
	e := Event{Agent: codexName, Session: c.thread, Model: c.model}
	o.date(&e, string(line.Timestamp))
	e.addAttr("version", c.version)
	payload := cmp.Or(line.Payload, line.Msg)
	switch {
	case payload != "":
		var p codexPayload
		if !payload.object(&p) {
			return nil, errNotCodex
		}
		return c.rollout(string(line.Type), &p, e), nil
	case strings.Contains(string(line.Type), ".") || line.Type == "error":
		return c.exec(&line, e), nil
	}
	return nil, nil // a line of the first versions, which say nothing of failures
}
