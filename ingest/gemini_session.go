package ingest

import (
	"cmp"
	"errors"
)

var errNotGemini = errors.New("not a record of Gemini CLI: it has no type, sessionId or attributes")

// A geminiSession is a session file, or a line of one: older versions rewrite
// the file as a whole, newer ones append a message to a line.
type geminiSession struct {
	SessionID loose `json:"sessionId"`
	Hash      loose `json:"projectHash"`
	Messages  loose `json:"messages"`
	Set       loose `json:"$set"`
	Rewind    loose `json:"$rewindTo"`
	geminiMessage
}

// A geminiMessage is a message of a session.
type geminiMessage struct {
	ID        loose `json:"id"`
	Type      loose `json:"type"`
	Timestamp loose `json:"timestamp"`
	Content   loose `json:"content"`
	Model     loose `json:"model"`
	ToolCalls loose `json:"toolCalls"`
}

// A geminiCall is a call of a tool with its result.
type geminiCall struct {
	ID        loose `json:"id"`
	Name      loose `json:"name"`
	Args      loose `json:"args"`
	Status    loose `json:"status"`
	Timestamp loose `json:"timestamp"`
	Result    loose `json:"result"`
	Display   loose `json:"resultDisplay"`
}

type geminiPart struct {
	Text     loose `json:"text"`
	Function maybe[struct {
		Response maybe[struct {
			Error  loose `json:"error"`
			Output loose `json:"output"`
		}] `json:"response"`
	}] `json:"functionResponse"`
}

// value reads a session file or a line of one. Prompts and answers are not
// looked at; a message that is written again with more is known by its ids.
func (g *geminiDialect) value(data []byte, o origin) ([]Event, error) {
	var s geminiSession
	if err := fill(data, &s); err != nil {
		return nil, err
	}
	known := s.SessionID != "" || s.Set != "" || s.Rewind != ""
	g.session = string(cmp.Or(s.SessionID, loose(g.session)))
	if s.Set != "" && s.Set.object(&s) || s.Messages != "" {
		var events []Event
		for _, m := range list[maybe[geminiMessage]](s.Messages) {
			events = append(events, g.message(&m.V, o)...)
		}
		return events, nil
	}
	if s.Type == "" && !known {
		return nil, errNotGemini
	}
	return g.message(&s.geminiMessage, o), nil
}

func (g *geminiDialect) message(m *geminiMessage, o origin) []Event {
	e := Event{Agent: geminiName, Session: g.session, Model: string(m.Model)}
	o.date(&e, string(m.Timestamp))
	if m.ID != "" {
		e.ID = stableID(geminiName, "message", g.session, string(m.ID))
	}
	switch m.Type {
	case "error":
		e.Operation, e.Resolution = "api_request", "abandoned" // the turn ends with it
		e.setOutput(textOf(blocksOf(m.Content)))
		setStatus(&e, cmp.Or(statusIn(e.Message), codexStatusIn(e.Message)))
		return g.requests.failFinally(link{key: e.Session}, &e)
	case "gemini":
		var events []Event
		for _, call := range list[maybe[geminiCall]](m.ToolCalls) {
			events = append(events, g.recorded(&call.V, e)...)
		}
		return events
	}
	return nil
}

// recorded is a call in a session file.
func (g *geminiDialect) recorded(call *geminiCall, e Event) []Event {
	if call.Timestamp != "" {
		(origin{time: e.Time}).date(&e, string(call.Timestamp))
	}
	e.ID = stableID(geminiName, "tool", string(cmp.Or(call.ID, loose(e.ID))))
	e.Operation, e.ArgsHash = string(call.Name), hashArgs(string(call.Args))
	said := ""
	for _, part := range list[maybe[geminiPart]](call.Result) {
		response := part.V.Function.V.Response.V
		said = joinLines(said, string(cmp.Or(response.Error, response.Output, part.V.Text)))
	}
	said = cmp.Or(said, string(call.Display))
	switch call.Status {
	case "error":
		return g.call(said, true, e)
	case "cancelled":
		e.Code = "cancelled"
		return g.call("interrupted by the user: the tool call was cancelled. "+said, true, e)
	case "success":
		return g.call("", false, e)
	}
	return nil // not finished
}
