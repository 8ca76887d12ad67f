package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The members in which versions of Monadic keep what a tool returned, and the
// call around it.
var (
	returnNames  = []string{"function_return", "tool_return", "return", "result", "output", "tool_result", "response", "content", "message", "text", "error"}
	toolNames    = []string{"function_name", "function", "tool_name", "tool", "name", "function.name"}
	sessionNames = []string{"session_id", "sessionId", "session", "conversation_id", "conversation", "chat_id"}
)

// readReturn takes a line of JSON: a tool's return alone, the record of a call,
// or a conversation with its messages.
func (g *monadicLog) readReturn(l logLine) {
	if l.err != nil {
		g.out = append(g.out, l.bad(l.err, g.o))
		return
	}
	value, err := parseValue([]byte(l.said))
	if err != nil {
		if isToolError(l.said) { // "[OpenAI] API Error: …" begins like an array
			g.hold(l)
			return
		}
		g.out = append(g.out, l.bad(err, g.o))
		return
	}
	switch value := value.(type) {
	case []any:
		g.messages(l, value, nil)
	case map[string]any:
		d := document(value)
		if list, ok := d.value("messages", "conversation.messages").([]any); ok {
			g.messages(l, list, d)
			return
		}
		g.call(l, d, 0)
	default:
		g.out = append(g.out, l.bad(errors.New("not a record: it is no JSON object"), g.o))
	}
}

// messages takes a conversation, whose session and time hold for its messages.
func (g *monadicLog) messages(l logLine, list []any, around document) {
	for i, value := range list {
		message, ok := value.(map[string]any)
		if !ok {
			g.out = append(g.out, l.bad(fmt.Errorf("message %d is no JSON object", i), g.o))
			continue
		}
		d := document(message)
		for _, names := range [][]string{sessionNames, timeNames} {
			if text := around.text(names...); text != "" && d.text(names...) == "" {
				d[names[0]] = text
			}
		}
		g.call(l, d, i)
	}
}

// call takes the record of a call. Calls of one tool in one session are
// attempts of one incident until one passes: the model has read the error.
func (g *monadicLog) call(l logLine, d document, index int) {
	role := d.text("role", "type")
	if role != "" && !strings.Contains(role, "tool") && !strings.Contains(role, "function") {
		return // what a person or the model said
	}
	if d.text(timeNames...) != "" {
		t, err := d.time(g.o.location(), timeNames...)
		if err != nil {
			g.out = append(g.out, l.bad(err, g.o))
			return
		}
		l.time, l.stamped = t, true
	}
	said, failed := returned(d)
	e := Event{Operation: d.text(toolNames...), Session: d.text(sessionNames...), Turn: d.whole("turn"), Model: d.text("model")}
	if failed {
		e.readToolError(said)
		e.Operation = cmp.Or(d.text(toolNames...), e.Operation)
		e.Provider = cmp.Or(d.text("provider", "vendor"), e.Provider)
		e.Code = cmp.Or(d.text("code", "error_code", "error.code", "result.code", "result.error.code"), e.Code)
	}
	if args := d.value("arguments", "args", "tool_args", "function_args", "parameters"); args != nil {
		if text, err := json.Marshal(args); err == nil {
			e.ArgsHash = contentName("", string(text))[:16]
		}
	}
	if !g.chain(&e, &l, failed) {
		return
	}
	g.emit(e, &l, strconv.Itoa(index))
}

// chain joins e with earlier calls of the tool. It reports false for a call
// that passed when none before it had failed.
func (g *monadicLog) chain(e *Event, l *logLine, failed bool) bool {
	if e.Session == "" || e.Operation == "" {
		return failed // nothing tells which calls belong together
	}
	key := e.Session + "\x00" + e.Operation + "\x00" + strconv.FormatInt(e.Turn.V, 10)
	chain := g.chains[key]
	if chain != nil && l.time.Sub(chain.last) > turnGap {
		delete(g.chains, key)
		chain = nil
	}
	if chain == nil {
		if !failed {
			return false
		}
		chain = &monadicChain{incident: contentName("call-", key, l.time.Format(time.RFC3339Nano), e.Message)}
		g.chains[key] = chain
	}
	chain.attempts++
	chain.last = l.time
	e.Incident, e.Attempt = chain.incident, Some(chain.attempts)
	if !failed {
		e.Kind = Success
		delete(g.chains, key)
	}
	return true
}

// returned finds what a tool returned, and says whether it is an error.
func returned(d document) (said string, failed bool) {
	if passed, told := d.flag("success"); told && !passed {
		return errorText(d), true
	}
	for _, name := range returnNames {
		switch v := d.at(name).(type) {
		case map[string]any:
			if passed, told := document(v).flag("success"); told && !passed {
				return errorText(v), true
			}
		case string:
			v = strings.TrimSpace(v)
			if strings.HasPrefix(v, "{") {
				if inner, err := parseDocument([]byte(v)); err == nil {
					if passed, told := inner.flag("success"); told && !passed {
						return errorText(inner), true
					}
				}
			}
			if name == "error" && v != "" || isToolError(firstLine(v)) {
				return v, true
			}
		}
	}
	return "", false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
