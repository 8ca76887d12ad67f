package ingest

import (
	"cmp"
	"strings"

	"hansei/ingest/otlp"
)

// gemini reads what Gemini CLI tells of its failures: log events of
// OpenTelemetry, also as its outfile holds them, and session files.
var gemini = Format{
	Name:     geminiName,
	About:    "Gemini CLI: OTLP logs, telemetry outfile, session files",
	Coverage: Coverage{Attempts: true, Final: true, Recoveries: true},
	Read:     readDialect(geminiName, newGemini),
}

// geminiName names the format, and the agent of its events.
const geminiName = "gemini"

func newGemini(resend bool) dialect {
	g := &geminiDialect{noted: map[string]bool{}}
	g.requests.resend, g.contents.resend, g.tools.resend = resend, resend, resend
	return g
}

// geminiDialect is the dialect of Gemini CLI. An attempt that failed is told as
// an api_error; the network_retry_attempt behind it says that it is tried
// again. An answer that arrived may still be no good: those are chains of their own.
type geminiDialect struct {
	requests chains // to the API, by session
	contents chains // answers that were empty or did not parse, by session
	tools    chains // calls with the same arguments

	noted    map[string]bool // sessions whose last api_error no retry followed yet
	fromZero bool            // content retries count attempts from 0
	session  string          // of the lines that follow
}

// otel reads a log event. Names have stood at different places of it; those
// that begin with gen_ai tell the same a second time.
func (g *geminiDialect) otel(r *otlp.Record) []Event {
	if r.Span {
		return nil
	}
	e := Event{
		Time: firstTime(otlp.ParseTime(r.Attrs["event.timestamp"]), r.Time), Agent: geminiName, Session: r.Attrs["session.id"],
		Model: cmp.Or(r.Attrs["model"], r.Attrs["model_name"]), DurationMS: whole(cmp.Or(r.Attrs["duration_ms"], r.Attrs["duration"])), TraceID: r.TraceID,
	}
	e.addAttr("version", cmp.Or(r.Attrs["service.version"], r.Resource["service.version"]))
	e.addAttr("prompt_id", r.Attrs["prompt_id"])
	l := link{key: e.Session, scope: r.Attrs["prompt_id"], by: byLog, count: true}
	switch strings.TrimPrefix(strings.TrimPrefix(r.Name, "gemini_cli."), "chat.") {
	case "api_error":
		return g.apiError(r, e, l)
	case "network_retry_attempt":
		return g.networkRetry(r, e, l)
	case "api_response":
		return g.response(r, e, l)
	case "content_retry":
		return g.contentRetry(r, e, l)
	case "content_retry_failure":
		return g.contentFailure(r, e, l)
	case "flash_fallback":
		e.Resolution = "fallback"
		return g.outcome(l, e)
	case "chat_compression":
		e.Resolution = "compressed"
		return g.outcome(l, e)
	case "tool_call":
		return g.toolCall(r, e)
	}
	return g.other(r, e)
}

// resume knows a request that was under way.
func (g *geminiDialect) resume(e Event, by teller) {
	g.requests.resume(link{key: e.Session, scope: e.Attrs["prompt_id"], by: by}, e)
}

func (g *geminiDialect) apiError(r *otlp.Record, e Event, l link) []Event {
	e.Operation = "api_request"
	e.Message = cmp.Or(r.Attrs["error.message"], r.Attrs["error"], r.Body)
	e.Code = cmp.Or(r.Attrs["error.type"], r.Attrs["error_type"])
	setStatus(&e, cmp.Or(r.Attrs["status_code"], r.Attrs["http.status_code"], r.Attrs["http.response.status_code"]))
	if e.Status == "" && r.Attrs["status_code"] != "" && e.Code == "" {
		e.Code = r.Attrs["status_code"] // a name, such as RESOURCE_EXHAUSTED
	}
	if len(g.noted) < maxChains {
		g.noted[e.Session] = true
	}
	return g.requests.fail(l, &e)
}

// networkRetry follows an api_error and says how it goes on. Where no api_error
// came before, as for a connection that failed, it is the failure.
func (g *geminiDialect) networkRetry(r *otlp.Record, e Event, l link) []Event {
	attempt, most := whole(r.Attrs["attempt"]), whole(r.Attrs["max_attempts"])
	if most.Known {
		most.V--
	}
	wait := whole(cmp.Or(r.Attrs["delay_ms"], r.Attrs["retry_delay_ms"]))
	if g.noted[e.Session] {
		g.noted[e.Session] = false
		g.requests.delay(l.key, wait, most)
		return nil
	}
	e.Operation, e.Attempt, e.MaxRetries = "api_request", attempt, most
	e.Code = cmp.Or(r.Attrs["error_type"], r.Attrs["error.type"])
	e.Message = cmp.Or(r.Attrs["error.message"], "network error: "+cmp.Or(e.Code, "unknown"))
	l.next = wait
	return g.requests.fail(l, &e)
}

// response is an answer of the API, which ends what failed before. Content that
// is no good after all is told behind it.
func (g *geminiDialect) response(r *otlp.Record, e Event, l link) []Event {
	e.Operation = "api_request"
	e.Tokens = whole(r.Attrs["total_token_count"])
	g.noted[e.Session] = false
	content := e
	return append(g.requests.pass(l, &e), g.contents.pass(l, &content)...)
}

func (g *geminiDialect) contentRetry(r *otlp.Record, e Event, l link) []Event {
	e.Operation, e.Code = "content", r.Attrs["error_type"]
	e.Message = "invalid content of the model's response: " + cmp.Or(e.Code, "unknown")
	e.Attempt = whole(r.Attrs["attempt_number"])
	g.fromZero = g.fromZero || e.Attempt.Known && e.Attempt.V == 0
	if g.fromZero && e.Attempt.Known {
		e.Attempt.V++
	}
	l.next, l.check = whole(r.Attrs["retry_delay_ms"]), true
	return g.contents.fail(l, &e)
}

func (g *geminiDialect) contentFailure(r *otlp.Record, e Event, l link) []Event {
	e.Operation, e.Code, e.Resolution = "content", r.Attrs["final_error_type"], "abandoned"
	e.Message = "invalid content of the model's response after all retries: " + cmp.Or(e.Code, "unknown")
	l.by, l.check = byEnd, true
	end := e
	if events := g.contents.end(l, &end); events != nil {
		return events
	}
	e.Attempt = whole(r.Attrs["total_attempts"])
	return g.contents.failFinally(l, &e)
}

// outcome is what the program did about the request that failed last.
func (g *geminiDialect) outcome(l link, e Event) []Event {
	l.scope = "" // these events do not name their prompt
	e.Operation = "api_request"
	content := e
	if events := g.requests.pass(l, &e); events != nil {
		return events
	}
	return g.contents.pass(l, &content)
}

func (g *geminiDialect) toolCall(r *otlp.Record, e Event) []Event {
	e.Operation = cmp.Or(r.Attrs["function_name"], r.Attrs["tool_name"])
	e.ArgsHash = hashArgs(r.Attrs["function_args"])
	if id := cmp.Or(r.Attrs["call_id"], r.Attrs["tool_call_id"]); id != "" {
		e.ID = stableID(geminiName, "tool", id)
	}
	e.addAttr("mcp_server", r.Attrs["mcp_server_name"])
	e.Code = cmp.Or(r.Attrs["error_type"], r.Attrs["error.type"])
	said := cmp.Or(r.Attrs["error.message"], r.Attrs["error"])
	if r.Attrs["decision"] == "reject" {
		e.Code = cmp.Or(e.Code, "reject")
		said = "permission denied: rejected by the user. " + said
	}
	return g.call(said, falsity(r.Attrs["success"]) || truth(r.Attrs["failed"]), e)
}

// call joins the tries of a tool with the same arguments.
func (g *geminiDialect) call(said string, failed bool, e Event) []Event {
	l := link{key: e.Session + "\n" + e.Operation + "\n" + e.ArgsHash, count: true}
	if !failed {
		e.Code = ""
		if e.ArgsHash == "" {
			return nil
		}
		return g.tools.pass(l, &e)
	}
	e.setOutput(cmp.Or(said, e.Code, "the tool failed; the log does not say why"))
	if e.ArgsHash == "" {
		return []Event{e}
	}
	return g.tools.fail(l, &e)
}

// other are failures that no retry is told of.
func (g *geminiDialect) other(r *otlp.Record, e Event) []Event {
	switch strings.TrimPrefix(r.Name, "gemini_cli.") {
	case "loop_detected":
		e.Operation, e.Code = "turn", r.Attrs["loop_type"]
		e.Message = "loop detected: repeated tool-call cycle (" + e.Code + ")"
	case "malformed_json_response":
		e.Operation, e.Code = "content", "malformed_json_response"
		e.Message = "malformed JSON response from " + e.Model
	case "agent.finish", "agent_finish":
		reason := r.Attrs["terminate_reason"]
		if reason == "" || reason == "GOAL" || reason == "ABORTED" {
			return nil
		}
		e.Operation, e.Code = cmp.Or(r.Attrs["agent_name"], "agent"), reason
		e.Message = "the agent ended: " + reason
		if reason == "MAX_TURNS" || reason == "TIMEOUT" {
			e.Message += " (limit of the run reached)"
		}
	default:
		return nil
	}
	return []Event{e}
}
