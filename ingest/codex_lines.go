package ingest

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"
)

var errNotCodex = errors.New("not a record of Codex: it has no type")

// A codexLine is a line of exec --json or of a rollout.
type codexLine struct {
	Type      loose `json:"type"`
	ID        loose `json:"id"`
	Timestamp loose `json:"timestamp"`
	Payload   loose `json:"payload"`
	Msg       loose `json:"msg"`
	ThreadID  loose `json:"thread_id"`
	Message   loose `json:"message"`
	Error     loose `json:"error"`
	Item      loose `json:"item"`
}

// A codexPayload is the inner part of a line of a rollout.
type codexPayload struct {
	Type      loose `json:"type"`
	ID        loose `json:"id"`
	SessionID loose `json:"session_id"`
	Version   loose `json:"cli_version"`
	Model     loose `json:"model"`
	Role      loose `json:"role"`
	Message   loose `json:"message"`
	Text      loose `json:"text"`
	Details   loose `json:"additional_details"`
	Info      loose `json:"codex_error_info"`
	Error     loose `json:"error"`
	Reason    loose `json:"reason"`

	CallID     loose `json:"call_id"`
	Name       loose `json:"name"`
	Arguments  loose `json:"arguments"`
	Input      loose `json:"input"`
	Output     loose `json:"output"`
	Aggregated loose `json:"aggregated_output"`
	Stderr     loose `json:"stderr"`
	ExitCode   loose `json:"exit_code"`
	Success    loose `json:"success"`
	Result     loose `json:"result"`
	Invocation maybe[struct {
		Server loose `json:"server"`
		Tool   loose `json:"tool"`
	}] `json:"invocation"`
}

// rollout reads a line of a rollout by the type of its payload.
func (c *codexDialect) rollout(kind string, p *codexPayload, e Event) []Event {
	l := link{key: e.Session, count: true}
	switch p.Type {
	case "stream_error", "background_event":
		return c.streamError(string(cmp.Or(p.Message, p.Details)), p.Type == "stream_error", e, l)
	case "error":
		return c.fatal(string(cmp.Or(p.Message, p.Text)), p.Info, e, l)
	case "task_complete", "turn_complete":
		if p.Error != "" {
			return c.turnFailed(p.Error, e, l)
		}
		return c.streams.pass(l, &e)
	case "agent_message", "agent_reasoning":
		return c.streams.pass(l, &e)
	case "message":
		if p.Role == "assistant" {
			return c.streams.pass(l, &e)
		}
	case "task_started", "turn_started":
		c.streams.forget(l.key)
	case "turn_aborted":
		return c.aborted(string(p.Reason), e, l)
	case "function_call", "custom_tool_call", "local_shell_call":
		c.calls[string(p.CallID)] = codexCall{string(p.Name), cmp.Or(p.Arguments, p.Input)}
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "exec_command_end", "mcp_tool_call_end", "patch_apply_end":
		return c.output(p, e)
	}
	if kind == "session_meta" {
		c.thread = string(cmp.Or(p.ID, p.SessionID, loose(c.thread)))
		c.version = string(p.Version)
	}
	if kind == "turn_context" || p.Type == "session_configured" {
		c.model = string(cmp.Or(p.Model, loose(c.model)))
		c.thread = cmp.Or(c.thread, string(p.SessionID))
	}
	return nil
}

// streamError is an answer that broke off and is asked for again.
func (c *codexDialect) streamError(text string, always bool, e Event, l link) []Event {
	next, ok := e.setRetry(text)
	if !ok && !always {
		return nil
	}
	e.Operation, e.Message = "api_stream", text
	e.Code = errorType(text)
	l.next = next
	return c.streams.fail(l, &e)
}

// turnFailed is the end of a turn, which may repeat the error that came before.
func (c *codexDialect) turnFailed(said loose, e Event, l link) []Event {
	var inner codexPayload
	if !said.object(&inner) {
		inner.Message = said
	}
	l.by = byEnd
	if c.streams.told(l, e.Time) {
		return nil
	}
	return c.fatal(string(inner.Message), inner.Info, e, l)
}

// fatal ends a turn with an error.
func (c *codexDialect) fatal(text string, info loose, e Event, l link) []Event {
	e.Operation, e.Resolution = "api_stream", "abandoned"
	e.Message = cmp.Or(text, "the turn failed")
	var answer struct {
		Status loose `json:"status"`
	}
	if loose(text).object(&answer) {
		e.Status = string(answer.Status)
	}
	if !strings.HasPrefix(string(info), "{") && info != "other" {
		e.Code = string(info)
	}
	setStatus(&e, cmp.Or(e.Status, codexStatusIn(text)))
	return c.streams.failFinally(l, &e)
}

// codexStatus finds the HTTP status in the text of an error.
var codexStatus = regexp.MustCompile(`(?i)\b(?:unexpected status|http(?: status)?|status)[: ]+(\d{3})\b`)

func codexStatusIn(text string) string {
	if m := codexStatus.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// aborted is a turn that did not end by itself.
func (c *codexDialect) aborted(reason string, e Event, l link) []Event {
	if reason == "replaced" || reason == "review_ended" {
		return nil
	}
	e.Operation, e.Code, e.Resolution = "turn", "turn_aborted", "stopped"
	e.Message = "the turn was aborted: " + cmp.Or(reason, "interrupted")
	if reason == "interrupted" || reason == "" {
		e.Message = "interrupted by the user: the turn was aborted"
	}
	stop := e
	if events := c.streams.end(l, &stop); events != nil {
		return events
	}
	return []Event{e}
}

// exited finds how a command ended at the head of its output.
var exited = regexp.MustCompile(`(?im)^(?:exit code|process exited with code|exited with code)[: ]+(-?\d+)`)

// output is the result of a call. The same call may be told twice, as an event
// and as the answer to the model.
func (c *codexDialect) output(p *codexPayload, e Event) []Event {
	call := c.calls[string(p.CallID)]
	e.Operation, e.ArgsHash = cmp.Or(call.name, strings.TrimSuffix(string(p.Type), "_end")), hashArgs(string(call.input))
	text := string(cmp.Or(p.Aggregated, p.Stderr, p.Output, p.Result))
	code := p.ExitCode
	var wrapped struct {
		Output   loose `json:"output"`
		Metadata maybe[struct {
			ExitCode loose `json:"exit_code"`
		}] `json:"metadata"`
		Success loose `json:"success"`
		Content loose `json:"content"`
	}
	success := p.Success
	if p.Output.object(&wrapped) {
		if said := cmp.Or(wrapped.Output, wrapped.Content); said != "" || wrapped.Metadata.V.ExitCode != "" {
			text = string(said)
		}
		code, success = cmp.Or(code, wrapped.Metadata.V.ExitCode), cmp.Or(success, wrapped.Success)
	} else if m := exited.FindStringSubmatch(text[:min(len(text), 1<<10)]); code == "" && m != nil {
		code = loose(m[1])
	}
	failed := falsity(string(success)) || code != "" && code != "0"
	if p.Type == "mcp_tool_call_end" {
		failed, text = mcpError(p.Result)
		if e.ArgsHash == "" && p.Invocation.V.Tool != "" {
			e.Operation = "mcp__" + string(p.Invocation.V.Server) + "__" + string(p.Invocation.V.Tool)
		}
	}
	if failed && code != "" && code != "0" {
		if e.Code = "exit_" + string(code); answered(call.input, e.Code, text) {
			e.Code, failed = "", false
		}
		text = cmp.Or(text, "exit code "+string(code))
	}
	return c.result(string(p.CallID), text, failed, e)
}

// mcpError tells whether the result of an MCP server is an error.
func mcpError(result loose) (bool, string) {
	var r struct {
		Err loose `json:"Err"`
		OK  maybe[struct {
			IsError loose `json:"isError"`
			Snake   loose `json:"is_error"`
			Content loose `json:"content"`
		}] `json:"Ok"`
	}
	if !result.object(&r) {
		return false, ""
	}
	if r.Err != "" {
		return true, string(r.Err)
	}
	return r.OK.V.IsError.yes() || r.OK.V.Snake.yes(), textOf(blocksOf(r.OK.V.Content))
}

// A codexItem is a step of exec --json.
type codexItem struct {
	ID       loose `json:"id"`
	Type     loose `json:"type"`
	Status   loose `json:"status"`
	Message  loose `json:"message"`
	Command  loose `json:"command"`
	Output   loose `json:"aggregated_output"`
	ExitCode loose `json:"exit_code"`
	Server   loose `json:"server"`
	Tool     loose `json:"tool"`
	Args     loose `json:"arguments"`
	Error    maybe[struct {
		Message loose `json:"message"`
	}] `json:"error"`
}

// exec reads a line of exec --json, which carries no time.
func (c *codexDialect) exec(line *codexLine, e Event) []Event {
	l := link{key: e.Session, count: true}
	switch line.Type {
	case "thread.started":
		c.thread = string(line.ThreadID)
	case "turn.started":
		c.streams.forget(l.key)
	case "turn.completed":
		return c.streams.pass(l, &e)
	case "error":
		if retrying.MatchString(string(line.Message)) {
			return c.streamError(string(line.Message), true, e, l)
		}
		return c.fatal(string(line.Message), "", e, l)
	case "turn.failed":
		return c.turnFailed(line.Error, e, l)
	case "item.completed":
		var item codexItem
		if line.Item.object(&item) {
			return c.item(&item, e, l)
		}
	}
	return nil
}

func (c *codexDialect) item(item *codexItem, e Event, l link) []Event {
	failed := item.Status == "failed" || item.Status == "declined"
	// Items are numbered anew in each run of a thread, so their number is no id.
	switch item.Type {
	case "agent_message", "reasoning":
		return c.streams.pass(l, &e)
	case "error":
		if retrying.MatchString(string(item.Message)) {
			return c.streamError(string(item.Message), true, e, l)
		}
		e.Operation, e.Message = "turn", string(item.Message)
		e.addAttr("item", string(item.ID))
		return []Event{e}
	case "command_execution":
		e.Operation, e.ArgsHash = "command_execution", hashArgs(string(item.Command))
		if failed = failed || item.ExitCode.number().V > 0; failed && item.ExitCode != "" {
			e.Code = "exit_" + string(item.ExitCode)
		}
		if answered(item.Command, e.Code, string(item.Output)) {
			e.Code, failed = "", false
		}
	case "mcp_tool_call":
		e.Operation, e.ArgsHash = "mcp__"+string(item.Server)+"__"+string(item.Tool), hashArgs(string(item.Args))
		failed = failed || item.Error.V.Message != ""
	case "file_change", "patch_apply":
		e.Operation = "file_change"
	default:
		return nil
	}
	e.addAttr("item", string(item.ID))
	if item.Status == "declined" {
		return c.decision("", "declined", "", e)
	}
	fallback := string(item.Type) + " failed"
	if e.Code != "" {
		fallback = "exit code " + strconv.FormatInt(item.ExitCode.number().V, 10)
	}
	return c.result("", cmp.Or(string(item.Output), string(item.Error.V.Message), fallback), failed, e)
}
