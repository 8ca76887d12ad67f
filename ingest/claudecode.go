package ingest

import (
	"cmp"
	"strings"

	"hansei/ingest/otlp"
)

// claudeCode reads everything that Claude Code tells of its failures: log
// events of OpenTelemetry, hooks, stream-json and session files, each line by
// what it is. A tool call has the id tool_use_id in all of them, and a request
// to the API its request id, so the same failure is one event.
var claudeCode = Format{
	Name:     claudeCodeName,
	About:    "Claude Code: OTLP logs, hooks, stream-json, session files",
	Coverage: Coverage{Attempts: true, Final: true, Recoveries: true},
	Read:     readDialect(claudeCodeName, newClaudeCode),
}

// claudeCodeName names the format, and the agent of its events.
const claudeCodeName = "claude-code"

func newClaudeCode(resend bool) dialect {
	c := &claude{tools: map[string]claudeTool{}, models: map[string]string{}}
	c.requests.resend, c.calls.resend, c.servers.resend = resend, resend, resend
	return c
}

// claude is the dialect of Claude Code.
type claude struct {
	requests chains                // to the API, by session
	calls    chains                // of tools with the same arguments
	servers  chains                // connections to MCP servers
	tools    map[string]claudeTool // calls under way of a session file, by id
	models   map[string]string     // that parts of sessions talk to, as their last answers say
}

// A claudeTool is a call whose result is not read yet.
type claudeTool struct {
	name  string
	input loose
	model string
}

// claudeID makes the id of a kind of thing.
func claudeID(kind, id string) string {
	if id == "" {
		return ""
	}
	return stableID(claudeCodeName, kind, id)
}

// otel reads a log event; names come with and without their prefix.
func (c *claude) otel(r *otlp.Record) []Event {
	if r.Span {
		return nil // the log events tell the same, and more
	}
	e := claudeEvent(r)
	switch strings.TrimPrefix(cmp.Or(r.Name, r.Body), "claude_code.") {
	case "api_error":
		return c.apiError(r, e)
	case "api_retries_exhausted":
		return c.exhausted(r, e)
	case "api_request":
		return c.apiRequest(r, e)
	case "api_refusal":
		return c.refusal(r, e)
	case "tool_result":
		return c.toolResult(r, e)
	case "tool_decision":
		return c.toolDecision(r, e)
	case "mcp_server_connection":
		return c.connection(r, e)
	case "internal_error":
		e.Operation, e.Component = "internal", claudeCodeName
		e.Code = cmp.Or(r.Attrs["error_code"], r.Attrs["error_name"])
		e.Message = strings.TrimSpace("internal error: " + r.Attrs["error_name"] + " " + r.Attrs["error_code"])
		return []Event{e}
	case "auth", "compaction":
		return c.step(r, e)
	}
	return nil
}

// claudeEvent fills what all log events have.
func claudeEvent(r *otlp.Record) Event {
	e := Event{
		Time: r.Time, Agent: claudeCodeName, Session: r.Attrs["session.id"], Model: r.Attrs["model"],
		DurationMS: whole(r.Attrs["duration_ms"]), TraceID: r.TraceID, CostUSD: decimal(r.Attrs["cost_usd"]),
	}
	e.addAttr("prompt_id", r.Attrs["prompt.id"])
	e.addAttr("query_source", r.Attrs["query_source"])
	e.addAttr("sequence", r.Attrs["event.sequence"])
	e.addAttr("version", cmp.Or(r.Attrs["app.version"], r.Resource["service.version"]))
	return e
}

// request links the attempts of one request: a session has one under way for
// each of its parts, and a prompt's attempts are its own. A record that does
// not name its part goes with the request that failed last.
func (c *claude) request(r *otlp.Record) link {
	source := r.Attrs["query_source"]
	l := link{key: r.Attrs["session.id"] + "\n" + source, scope: r.Attrs["prompt.id"], by: byLog}
	if source == "" {
		return c.lastRequest(l)
	}
	return l
}

// lastRequest finds the request of a session that failed last.
func (c *claude) lastRequest(l link) link {
	session, _, _ := strings.Cut(l.key, "\n")
	if key, ok := c.requests.latest(session+"\n", failing); ok {
		l.key = key
	}
	return l
}

func (c *claude) apiError(r *otlp.Record, e Event) []Event {
	setRequest(&e, r.Attrs["request_id"])
	e.Operation = "api_request"
	e.Message = r.Attrs["error"]
	setStatus(&e, r.Attrs["status_code"])
	e.Attempt = whole(r.Attrs["attempt"])
	l := c.request(r)
	session := l
	if session.key = e.Session + "\n"; c.requests.told(session, e.Time) {
		l = session // a hook told of it before the log came
	}
	return c.requests.fail(l, &e)
}

// resume knows a request that was under way.
func (c *claude) resume(e Event, by teller) {
	c.requests.resume(link{key: e.Session + "\n" + e.Attrs["query_source"], scope: e.Attrs["prompt_id"], by: by}, e)
}

// setRequest names a request by the id that the API gave it.
func setRequest(e *Event, id string) {
	e.ID = cmp.Or(claudeID("request", id), e.ID)
	e.addAttr("request_id", id)
	if strings.HasPrefix(id, "req_") {
		e.Provider = "anthropic" // others give other ids
	}
}

// setStatus takes an HTTP status as code, else the type of the error.
func setStatus(e *Event, status string) {
	if n := whole(status); n.Known && n.V > 0 {
		e.Code, e.Status = status, status
		return
	}
	e.Code = cmp.Or(e.Code, errorType(e.Message))
}

// An apiAnswer is the JSON that APIs answer an error with; a stream wraps it.
type apiAnswer struct {
	Error    maybe[apiProblem] `json:"error"`
	Response maybe[struct {
		Error maybe[apiProblem] `json:"error"`
	}] `json:"response"`
}

type apiProblem struct {
	Type loose `json:"type"`
	Code loose `json:"code"`
}

// errorType finds the type of an error in the answer that a message holds.
func errorType(message string) string {
	var answer apiAnswer
	at := strings.IndexByte(message, '{')
	if at < 0 || fill([]byte(message[at:]), &answer) != nil {
		return ""
	}
	problem, within := answer.Error.V, answer.Response.V.Error.V
	code := problem.Code
	if code.number().Known {
		code = "" // a number is the status
	}
	return string(cmp.Or(problem.Type, code, within.Code, within.Type))
}

// exhausted is told along with the last failure, which it is no second one of:
// it says how the request ended.
func (c *claude) exhausted(r *otlp.Record, e Event) []Event {
	e.Operation, e.Message, e.Resolution = "api_request", r.Attrs["error"], "abandoned"
	e.DurationMS = Opt[int64]{}
	setStatus(&e, r.Attrs["status_code"])
	l := c.request(r)
	l.by = byEnd
	return c.gaveUp(l, e, whole(r.Attrs["total_attempts"]))
}

// gaveUp ends the request that failed last. Without one, as when only this is
// told, it is the failure itself.
func (c *claude) gaveUp(l link, e Event, attempts Opt[int64]) []Event {
	if events := c.requests.end(l, &e); events != nil {
		return events
	}
	session, _, _ := strings.Cut(l.key, "\n")
	other := l
	if key, ok := c.requests.latest(session+"\n", ended); ok {
		other.key = key
	}
	if c.requests.told(other, e.Time) {
		return nil
	}
	e.Kind, e.Attempt = Failure, attempts
	return c.requests.failFinally(l, &e)
}

func (c *claude) apiRequest(r *otlp.Record, e Event) []Event {
	setRequest(&e, r.Attrs["request_id"])
	e.Operation = "api_request"
	e.Tokens = sum(r.Attrs["input_tokens"], r.Attrs["output_tokens"], r.Attrs["cache_read_tokens"], r.Attrs["cache_creation_tokens"])
	return c.requests.pass(c.request(r), &e)
}

// sum adds the numbers that are there; of none it is absent.
func sum(texts ...string) Opt[int64] {
	var total Opt[int64]
	for _, text := range texts {
		if n := whole(text); n.Known {
			total = Some(total.V + n.V)
		}
	}
	return total
}

// refusal is an answer of the model that the API gives with HTTP 200.
func (c *claude) refusal(r *otlp.Record, e Event) []Event {
	e.ID = cmp.Or(claudeID("refusal", r.Attrs["request_id"]), e.ID)
	e.Operation, e.Code = "api_request", "refusal"
	e.Message = "the model refused the request (stop_reason: refusal, content policy)"
	e.Attempt = whole(r.Attrs["attempt"])
	e.addAttr("category", r.Attrs["category"])
	if truth(r.Attrs["server_fallback_hop"]) {
		e.Resolution = "fallback"
	}
	return []Event{e}
}

// toolParameters are what the log tells of a call when the user lets it.
type toolParameters struct {
	Server loose `json:"mcp_server_name"`
	Tool   loose `json:"mcp_tool_name"`
}

func (c *claude) tool(r *otlp.Record, e *Event) link {
	e.ID = cmp.Or(claudeID("tool", r.Attrs["tool_use_id"]), e.ID)
	e.Operation = r.Attrs["tool_name"]
	var p toolParameters
	if loose(r.Attrs["tool_parameters"]).object(&p) && p.Tool != "" {
		e.Operation = "mcp__" + string(p.Server) + "__" + string(p.Tool)
	}
	e.ArgsHash = hashArgs(r.Attrs["tool_input"])
	return call(e)
}

// call links the tries of a tool with the same arguments in a session.
func call(e *Event) link {
	return link{key: e.Session + "\n" + e.Operation + "\n" + e.ArgsHash, count: true}
}

func (c *claude) toolResult(r *otlp.Record, e Event) []Event {
	l := c.tool(r, &e)
	if !falsity(r.Attrs["success"]) {
		return c.callPassed(l, &e)
	}
	e.Code = r.Attrs["error_type"]
	e.setOutput(cmp.Or(r.Attrs["error"], r.Attrs["error_type"], "the tool failed; the log does not say why"))
	return c.callFailed(l, &e)
}

// callFailed joins the failures of a call with the same arguments; where those
// are not told, each is for itself.
func (c *claude) callFailed(l link, e *Event) []Event {
	if e.ArgsHash == "" {
		return []Event{*e}
	}
	return c.calls.fail(l, e)
}

func (c *claude) callPassed(l link, e *Event) []Event {
	if e.ArgsHash == "" {
		return nil
	}
	return c.calls.pass(l, e)
}

// toolDecision tells of calls that a person or a rule refused; those have no result.
func (c *claude) toolDecision(r *otlp.Record, e Event) []Event {
	if r.Attrs["decision"] != "reject" {
		return nil
	}
	c.tool(r, &e)
	e.Code = cmp.Or(r.Attrs["source"], "reject")
	e.Message = "permission denied: rejected (" + e.Code + ")"
	return []Event{e}
}

func (c *claude) connection(r *otlp.Record, e Event) []Event {
	e.Operation, e.Component = "mcp_server_connection", cmp.Or(r.Attrs["server_name"], r.Attrs["mcp_server.name"])
	l := link{key: e.Session + "\n" + e.Component + "\n" + r.Attrs["server_scope"], count: true}
	e.addAttr("transport", r.Attrs["transport_type"])
	switch r.Attrs["status"] {
	case "failed":
		e.Code = r.Attrs["error_code"]
		e.Message = cmp.Or(r.Attrs["error"], strings.TrimSpace("connection to MCP server failed "+e.Code))
		return c.servers.fail(l, &e)
	case "connected":
		return c.servers.pass(l, &e)
	}
	return nil
}

// step tells of a login or a compaction that failed.
func (c *claude) step(r *otlp.Record, e Event) []Event {
	if !falsity(r.Attrs["success"]) {
		return nil
	}
	name := strings.TrimPrefix(cmp.Or(r.Name, r.Body), "claude_code.")
	e.Operation = cmp.Or(r.Attrs["action"], name)
	e.Code = cmp.Or(r.Attrs["status_code"], r.Attrs["error_category"])
	e.Message = cmp.Or(r.Attrs["error"], strings.TrimSpace(name+" failed: "+r.Attrs["error_category"]))
	return []Event{e}
}

// value reads a line by what it is: a hook, or a line of a stream or session.
func (c *claude) value(data []byte, o origin) ([]Event, error) {
	var line claudeLine
	if err := fill(data, &line); err != nil {
		return nil, err
	}
	e := Event{Agent: claudeCodeName, Session: string(cmp.Or(line.SessionID, line.SnakeSession))}
	o.date(&e, string(line.Timestamp))
	e.addAttr("version", string(line.Version))
	switch {
	case line.Hook != "":
		return c.hook(data, e)
	case line.Type == "":
		return nil, errUnknownLine
	}
	return c.line(&line, e), nil
}
