package ingest

import (
	"cmp"
	"strings"
)

// A claudeHook is what Claude Code hands to a hook.
type claudeHook struct {
	Event        loose `json:"hook_event_name"`
	PromptID     loose `json:"prompt_id"`
	ToolName     loose `json:"tool_name"`
	ToolInput    loose `json:"tool_input"`
	ToolUseID    loose `json:"tool_use_id"`
	Error        loose `json:"error"`
	ErrorType    loose `json:"error_type"`
	ErrorMessage loose `json:"error_message"`
	ErrorDetails loose `json:"error_details"`
	LastMessage  loose `json:"last_assistant_message"`
	Reason       loose `json:"reason"`
	IsInterrupt  loose `json:"is_interrupt"`
	DurationMS   loose `json:"duration_ms"`
	AgentID      loose `json:"agent_id"`
}

// hook reads the hooks that tell of failures, and the success of a tool that
// failed before; the others tell of nothing here.
func (c *claude) hook(data []byte, e Event) ([]Event, error) {
	var h claudeHook
	if err := fill(data, &h); err != nil {
		return nil, err
	}
	e.addAttr("prompt_id", string(h.PromptID))
	switch h.Event {
	case "PostToolUse":
		l := h.tool(&e)
		return c.callPassed(l, &e), nil
	case "PostToolUseFailure":
		return c.toolFailed(&h, e), nil
	case "PermissionDenied":
		h.tool(&e)
		e.Code = "denied"
		e.Message = "permission denied: " + string(cmp.Or(h.Reason, h.Error, "rejected"))
		return []Event{e}, nil
	case "StopFailure":
		return c.stopFailed(&h, e), nil
	}
	return nil, nil
}

// tool fills what hooks of tools have.
func (h *claudeHook) tool(e *Event) link {
	e.ID = cmp.Or(claudeID("tool", string(h.ToolUseID)), e.ID)
	e.Operation = string(cmp.Or(h.ToolName, "tool"))
	e.ArgsHash = hashArgs(string(h.ToolInput))
	e.DurationMS = h.DurationMS.number()
	return call(e)
}

func (c *claude) toolFailed(h *claudeHook, e Event) []Event {
	l := h.tool(&e)
	said := cmp.Or(h.Error, h.ErrorMessage)
	var inner claudeError
	if said.object(&inner) {
		said = cmp.Or(inner.Message, said)
	}
	if answered(h.ToolInput, exitIn(string(said)), string(said)) {
		return c.callPassed(l, &e)
	}
	e.Code = string(h.ErrorType)
	e.setToolError(string(said))
	if h.IsInterrupt.yes() {
		e.Code = cmp.Or(e.Code, "interrupted")
		e.Message = "interrupted by the user: " + e.Message
	}
	return c.callFailed(l, &e)
}

// stopFailed is a turn that an error of the API ended. The log tells of its
// attempts, before or after; together they are one failure.
func (c *claude) stopFailed(h *claudeHook, e Event) []Event {
	e.Operation, e.Resolution = "api_request", "abandoned"
	e.Code = string(cmp.Or(h.ErrorType, h.Error))
	if strings.ContainsAny(e.Code, " {") {
		e.Code = "" // a sentence, not a name
	}
	e.Message = joinLines(string(cmp.Or(h.ErrorMessage, h.LastMessage, h.Error)), string(h.ErrorDetails))
	if status := statusIn(e.Message); status != "" {
		e.Status = status
	}
	if e.Code != "" && !strings.Contains(e.Message, e.Code) {
		e.Message = strings.TrimSuffix(e.Code+": "+e.Message, ": ")
	}
	identify(&e)
	e.addAttr(toldBy, wayHook)
	return c.gaveUp(c.lastRequest(link{key: e.Session + "\n", scope: string(h.PromptID), by: byHook}), e, Opt[int64]{})
}
