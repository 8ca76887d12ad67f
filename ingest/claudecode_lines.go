package ingest

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
)

// errUnknownLine says that a line is of none of the kinds that are read.
var errUnknownLine = errors.New("not a record of this agent: it has neither type nor hook_event_name")

// A claudeLine is a line of a stream or a session file; they share their form.
type claudeLine struct {
	Hook         loose `json:"hook_event_name"`
	Type         loose `json:"type"`
	Subtype      loose `json:"subtype"`
	UUID         loose `json:"uuid"`
	Timestamp    loose `json:"timestamp"`
	SessionID    loose `json:"sessionId"`
	SnakeSession loose `json:"session_id"`
	AgentID      loose `json:"agentId"`
	ParentTool   loose `json:"parent_tool_use_id"`
	RequestID    loose `json:"requestId"`
	Version      loose `json:"version"`
	Model        loose `json:"model"`

	Error        loose `json:"error"`
	ErrorStatus  loose `json:"error_status"`
	APIStatus    loose `json:"apiErrorStatus"`
	SnakeStatus  loose `json:"api_error_status"`
	IsAPIError   loose `json:"isApiErrorMessage"`
	Cause        loose `json:"cause"`
	Content      loose `json:"content"`
	RetryAttempt loose `json:"retryAttempt"`
	Attempt      loose `json:"attempt"`
	MaxRetries   loose `json:"maxRetries"`
	SnakeRetries loose `json:"max_retries"`
	RetryInMS    loose `json:"retryInMs"`
	RetryDelayMS loose `json:"retry_delay_ms"`

	IsError loose `json:"is_error"`
	Result  loose `json:"result"`
	Errors  loose `json:"errors"`

	Message maybe[claudeMessage] `json:"message"`
}

// A claudeMessage is what the model or the user said.
type claudeMessage struct {
	Model   loose `json:"model"`
	Content loose `json:"content"`
}

// A claudeBlock is a part of a message.
type claudeBlock struct {
	Type      loose `json:"type"`
	Text      loose `json:"text"`
	ID        loose `json:"id"`
	Name      loose `json:"name"`
	Input     loose `json:"input"`
	ToolUseID loose `json:"tool_use_id"`
	IsError   loose `json:"is_error"`
	Content   loose `json:"content"`
}

func (c *claude) line(line *claudeLine, e Event) []Event {
	l := link{key: e.Session + "\n" + string(cmp.Or(line.AgentID, line.ParentTool))}
	switch line.Type {
	case "system":
		if line.Subtype == "api_error" || line.Subtype == "api_retry" {
			return c.retry(line, e, l)
		}
		if line.Subtype == "init" {
			c.talksTo(l, string(line.Model))
			c.requests.forget(l.key)
		}
	case "assistant":
		return c.assistant(line, e, l)
	case "user":
		return c.user(line, e, l)
	case "result":
		return c.result(line, e)
	}
	return nil
}

// talksTo notes the model that a part of a session talks to; "" is unknown.
func (c *claude) talksTo(l link, model string) {
	if _, known := c.models[l.key]; known || len(c.models) < maxChains {
		c.models[l.key] = model
	}
}

// retry is an attempt that failed and is to be followed by another.
func (c *claude) retry(line *claudeLine, e Event, l link) []Event {
	e.ID = cmp.Or(claudeID("line", string(line.UUID)), e.ID)
	e.Operation, e.Model = "api_request", c.models[l.key]
	e.setAPIError(cmp.Or(line.Error, line.Cause, line.Content))
	setStatus(&e, cmp.Or(e.Status, string(line.ErrorStatus)))
	e.Attempt = cmp.Or(line.RetryAttempt, line.Attempt).number()
	e.MaxRetries = cmp.Or(line.MaxRetries, line.SnakeRetries).number()
	l.next = cmp.Or(line.RetryInMS, line.RetryDelayMS).number()
	return c.requests.fail(l, &e)
}

// A claudeError is what a session file keeps of an error: that of the HTTP
// client, with the answer of the API and its cause within.
type claudeError struct {
	Status         loose `json:"status"`
	Message        loose `json:"message"`
	Formatted      loose `json:"formatted"`
	Type           loose `json:"type"`
	Code           loose `json:"code"`
	RequestID      loose `json:"requestId"`
	UpperRequestID loose `json:"requestID"`
	SnakeRequestID loose `json:"request_id"`
	Inner          loose `json:"error"`
	Cause          loose `json:"cause"`
	Connection     loose `json:"connection"`
}

// setAPIError takes what an error says, from the outside in: the outer knows
// the status, the inner what happened.
func (e *Event) setAPIError(text loose) {
	var message, kind string
	for depth := 0; text != "" && depth < 5; depth++ {
		var err claudeError
		if !text.object(&err) {
			message = cmp.Or(message, string(text))
			break
		}
		e.Status = cmp.Or(e.Status, string(err.Status))
		kind = cmp.Or(string(err.Code), string(err.Type), kind)
		if said := cmp.Or(err.Message, err.Formatted); said != "" {
			message = string(said)
		}
		if id := string(cmp.Or(err.RequestID, err.UpperRequestID, err.SnakeRequestID)); id != "" {
			setRequest(e, id)
		}
		text = cmp.Or(err.Inner, err.Cause, err.Connection)
	}
	if kind != "error" {
		e.Code = cmp.Or(kind, e.Code)
	}
	if e.Message = message; kind != "" && !strings.Contains(message, kind) {
		e.Message = strings.TrimPrefix(kind+": "+message, "error: ")
	}
	if e.Status != "" && !strings.Contains(e.Message, e.Status) {
		e.Message = e.Status + " " + e.Message
	}
	e.Message = strings.TrimSuffix(strings.TrimSpace(e.Message), ":")
}

// assistant is an answer of the model, which ends the request, or the error
// that stands in its place.
func (c *claude) assistant(line *claudeLine, e Event, l link) []Event {
	blocks := blocksOf(line.Message.V.Content)
	if !line.IsAPIError.yes() && (line.Error == "" || line.Error == "null") {
		for _, b := range blocks {
			if b.Type == "tool_use" && b.ID != "" {
				c.tools[string(b.ID)] = claudeTool{string(b.Name), b.Input, string(line.Message.V.Model)}
			}
		}
		e.Model = string(line.Message.V.Model)
		setRequest(&e, string(line.RequestID))
		e.Operation = "api_request"
		if e.Model == "<synthetic>" {
			return nil
		}
		c.talksTo(l, e.Model)
		return c.requests.pass(l, &e)
	}
	e.Model = c.models[l.key]
	e.ID = cmp.Or(claudeID("line", string(line.UUID)), e.ID)
	if line.RequestID != "" {
		setRequest(&e, string(line.RequestID))
	}
	e.Operation, e.Resolution = "api_request", "abandoned" // the turn ends with it
	e.Message = textOf(blocks)
	if e.Message == "" {
		e.setAPIError(line.Error)
	}
	e.Code = string(line.Error)
	if strings.HasPrefix(e.Code, "{") {
		e.Code = ""
	}
	setStatus(&e, cmp.Or(string(line.APIStatus), string(line.SnakeStatus), statusIn(e.Message)))
	l.count = true // the attempts before it are told one by one, it is the next
	return c.requests.failFinally(l, &e)
}

// apiStatus finds the HTTP status in the text that people see.
var apiStatus = regexp.MustCompile(`API Error: (?:Repeated )?(\d{3})\b`)

func statusIn(message string) string {
	if m := apiStatus.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// blocksOf reads the parts of a message; a text alone is one part.
func blocksOf(content loose) []claudeBlock {
	if blocks := list[maybe[claudeBlock]](content); blocks != nil {
		all := make([]claudeBlock, len(blocks))
		for i, b := range blocks {
			all[i] = b.V
		}
		return all
	}
	return []claudeBlock{{Type: "text", Text: content}}
}

func textOf(blocks []claudeBlock) string {
	var texts []string
	for _, b := range blocks {
		texts = append(texts, string(b.Text))
	}
	return joinLines(texts...)
}

// interrupted is what a session keeps of a request that the user broke off.
const interrupted = "[Request interrupted by user"

// switched is what a session keeps of a user's command for another model.
const switched = "<command-name>/model</command-name>"

// user holds the results of tools, and what the user said.
func (c *claude) user(line *claudeLine, e Event, l link) []Event {
	var events []Event
	for _, b := range blocksOf(line.Message.V.Content) {
		switch {
		case b.Type == "tool_result":
			events = append(events, c.toolBlock(&b, e)...)
		case b.Type == "text" && strings.HasPrefix(string(b.Text), interrupted):
			stop := e
			stop.ID, stop.Operation, stop.Resolution = cmp.Or(claudeID("line", string(line.UUID)), e.ID), "api_request", "stopped"
			stop.Message = string(b.Text)
			events = append(events, c.requests.end(l, &stop)...)
		case b.Type == "text" && strings.Contains(string(b.Text), switched):
			c.talksTo(l, "")
		}
	}
	return events
}

func (c *claude) toolBlock(b *claudeBlock, e Event) []Event {
	tool := c.tools[string(b.ToolUseID)]
	delete(c.tools, string(b.ToolUseID))
	e.ID = cmp.Or(claudeID("tool", string(b.ToolUseID)), e.ID)
	e.Operation, e.Model, e.ArgsHash = cmp.Or(tool.name, "tool"), tool.model, hashArgs(string(tool.input))
	said := textOf(blocksOf(b.Content))
	if !b.IsError.yes() || answered(tool.input, exitIn(said), said) {
		return c.callPassed(call(&e), &e)
	}
	e.setToolError(said)
	return c.callFailed(call(&e), &e)
}

// exitCode is how a shell's error begins.
var exitCode = regexp.MustCompile(`^Exit code (\d+)`)

// exitIn returns the exit code that the error of a tool begins with, as a code.
func exitIn(text string) string {
	if m := exitCode.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return "exit_" + m[1]
	}
	return ""
}

// setToolError takes the error of a tool without its marks, and the code that
// it begins with.
func (e *Event) setToolError(text string) {
	text = strings.TrimSpace(text)
	e.Code = cmp.Or(e.Code, exitIn(text))
	if inner, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		e.Code = cmp.Or(e.Code, "tool_use_error")
		text = strings.TrimSuffix(inner, "</tool_use_error>")
	}
	e.setOutput(cmp.Or(text, "the tool failed; its result is empty"))
}

// result ends a run. One that ends with an error has told of a request that
// failed before; other ends, such as too many turns, are told only here.
func (c *claude) result(line *claudeLine, e Event) []Event {
	l := c.lastRequest(link{key: e.Session + "\n", by: byEnd})
	e.ID = cmp.Or(claudeID("line", string(line.UUID)), e.ID)
	if !line.IsError.yes() && !strings.HasPrefix(string(line.Subtype), "error") {
		e.Operation = "api_request"
		return c.requests.pass(l, &e)
	}
	e.Message = string(line.Result)
	for _, said := range list[loose](line.Errors) {
		e.Message = joinLines(e.Message, string(said))
	}
	if e.Message == "" && line.Error != "" {
		e.setAPIError(line.Error)
	}
	e.Resolution = "abandoned"
	if line.Subtype == "success" || line.Subtype == "error_during_execution" || line.SnakeStatus != "" {
		e.Operation = "api_request"
		setStatus(&e, cmp.Or(string(line.SnakeStatus), statusIn(e.Message)))
		e.Message = cmp.Or(e.Message, "the run ended with an error: "+string(line.Subtype))
		return c.gaveUp(l, e, Opt[int64]{})
	}
	e.Operation, e.Code = "run", string(line.Subtype)
	e.Message = cmp.Or(e.Message, ends[e.Code], e.Code)
	return []Event{e}
}

// ends say in words what the subtypes of a result mean.
var ends = map[string]string{
	"error_max_turns":                     "reached the maximum number of turns",
	"error_max_budget_usd":                "reached the maximum cost of a run",
	"error_max_structured_output_retries": "retries of structured output validation used up",
}
