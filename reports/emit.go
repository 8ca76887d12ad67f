package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hansei/analyze"
)

// An Emitter writes suggested changes in the terms of the system that must make
// them: its own setting's name, the value now, the range it takes, and the line
// that goes back.
type Emitter struct {
	Name     string
	head     string // where the settings stand
	comment  string // how a comment begins there
	agent    string // whose suggestions; empty: all agents'
	settings []setting
}

// A setting is one number of a system. Where it holds for several cells, the
// largest that any of them needs is taken: less would cut another one off.
type setting struct {
	line       string // with %d for the value
	knob       string
	categories []string // whose cells it holds for; none: all
	usual      int      // the published default
	low, high  int      // the range that is taken
	plus       int      // from retries to the system's own count: 1 where it counts attempts
}

// Categories by the error classes that systems know.
var (
	transient = []string{"rate_limit", "network", "server_error", "timeout"}
	malformed = []string{"malformed_output"}
)

// noLimit is the range of a setting whose document names no upper end.
const noLimit = 1 << 30

// emitters lists the systems. Names, defaults and ranges are those of: the five
// systems' own documents; Claude Code, "Environment variables" and "Error
// reference"; Codex, config reference, model_providers; Gemini CLI, settings
// schema, general.maxAttempts; LiteLLM, Router, RetryPolicy; Temporal, "What is
// a Temporal Retry Policy"; AWS SDKs and Tools, "Retry behavior".
var emitters = []Emitter{
	{"agentskills", "Retry section of the skill's page", "<!-- -->", "agentskills", []setting{
		{"- max_retries: %d", "max_retries", nil, 3, 0, 10, 0},
	}},
	{"monadic", "The chat application's constants", "#", "monadic", []setting{
		{"DEFAULT_MAX_RETRIES = %d", "max_retries", transient, 5, 0, noLimit, 0},
		{"# similar errors of the last ten before it stops: %d", "stop_after", nil, 3, 1, 10, 0},
	}},
	{"recovery", "The recovery agent's constants", "#", "recovery-agent", []setting{
		{"MAX_RETRY_ON_ERROR = %d", "max_retries", malformed, 2, 0, noLimit, 0},
	}},
	{"openstarry", "SafetyMonitor's configuration", "//", "openstarry", []setting{
		{"frustrationThreshold: %d,", "stop_after", nil, 5, 1, noLimit, 0},
	}},
	{"commandmate", "How often a session is started again", "#", "commandmate", []setting{
		{"# times that a session is started again: %d", "max_retries", transient, 1, 0, noLimit, 0},
	}},
	{"claude-code", "Environment, or env in settings.json", "#", "", []setting{
		{"CLAUDE_CODE_MAX_RETRIES=%d", "max_retries", transient, 10, 0, 15, 0},
	}},
	{"codex", "config.toml, in [model_providers.<id>]", "#", "", []setting{
		{"request_max_retries = %d", "max_retries", []string{"rate_limit", "server_error"}, 4, 0, 100, 0},
		{"stream_max_retries = %d", "max_retries", []string{"network", "timeout"}, 5, 0, 100, 0},
	}},
	{"gemini", "settings.json, general", "//", "", []setting{
		{"\"maxAttempts\": %d", "max_retries", transient, 10, 1, 10, 1},
	}},
	{"litellm", "config.yaml, router_settings.retry_policy", "#", "", []setting{
		{"RateLimitErrorRetries: %d", "max_retries", []string{"rate_limit"}, 2, 0, noLimit, 0},
		{"TimeoutErrorRetries: %d", "max_retries", []string{"timeout"}, 2, 0, noLimit, 0},
		{"InternalServerErrorRetries: %d", "max_retries", []string{"server_error"}, 2, 0, noLimit, 0},
		{"AuthenticationErrorRetries: %d", "max_retries", []string{"auth"}, 2, 0, noLimit, 0},
		{"BadRequestErrorRetries: %d", "max_retries", []string{"validation", "context_length"}, 2, 0, noLimit, 0},
		{"ContentPolicyViolationErrorRetries: %d", "max_retries", []string{"content_filter"}, 2, 0, noLimit, 0},
	}},
	{"temporal", "RetryPolicy of the activity", "#", "", []setting{
		{"maximum_attempts: %d", "max_retries", transient, 0, 1, noLimit, 1},
	}},
	{"aws", "~/.aws/config, or AWS_MAX_ATTEMPTS", "#", "", []setting{
		{"max_attempts = %d", "max_retries", transient, 3, 1, noLimit, 1},
	}},
}

// EmitterNames lists the systems for help.
func EmitterNames() string {
	var names []string
	for _, e := range emitters {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

// EmitterNamed finds an Emitter.
func EmitterNamed(name string) (*Emitter, error) {
	for i := range emitters {
		if emitters[i].Name == name {
			return &emitters[i], nil
		}
	}
	return nil, fmt.Errorf("no system %q to emit for; known are %s", name, EmitterNames())
}

// Emit writes the settings that the suggestions change.
func (e *Emitter) Emit(w io.Writer, t *analyze.Tuning) error {
	var b strings.Builder
	e.note(&b, "%s, from what happened %s to %s", e.head, t.From.Format("2006-01-02"), t.To.AddDate(0, 0, -1).Format("2006-01-02"))
	changes := 0
	for _, s := range e.settings {
		if e.emitSetting(&b, &s, t.Suggestions) {
			changes++
		}
	}
	if e.Name == "agentskills" || e.Name == "temporal" {
		changes += e.emitDelays(&b, t.Suggestions)
	}
	if changes == 0 {
		e.note(&b, "nothing to change")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// emitSetting writes one setting, when one of its cells wants a change.
func (e *Emitter) emitSetting(b *strings.Builder, set *setting, of []analyze.Suggestion) bool {
	now, want, changed := -1, -1, false
	var ids []string
	for _, s := range of {
		if s.Knob != set.knob || s.Suggested == nil || e.agent != "" && s.Scope.Agent != e.agent || len(set.categories) > 0 && !slices.Contains(set.categories, s.Scope.Category) {
			continue
		}
		want = max(want, int(*s.Suggested))
		if s.Current != nil {
			now = max(now, int(*s.Current))
		}
		if s.Changes() {
			changed = true
			ids = append(ids, s.ID)
		}
	}
	if !changed {
		return false
	}
	if now < 0 {
		now = set.usual - set.plus
	}
	value := min(max(want+set.plus, set.low), set.high)
	span := strconv.Itoa(set.low) + " to " + strconv.Itoa(set.high)
	if set.high == noLimit {
		span = strconv.Itoa(set.low) + " or more"
	}
	e.note(b, "now %d, published default %d, range %s; from %s; way back: %s", now+set.plus, set.usual, span, strings.Join(ids, ", "), fmt.Sprintf(set.line, now+set.plus))
	if now == want {
		e.note(b, "unchanged: another cell of this setting still needs %d", value)
	}
	fmt.Fprintf(b, set.line+"\n", value)
	return true
}

// emitDelays writes the waits of the cells that want other ones.
func (e *Emitter) emitDelays(b *strings.Builder, of []analyze.Suggestion) (changes int) {
	for _, s := range of {
		if s.Knob != "delays" || !s.Changes() || e.agent != "" && s.Scope.Agent != e.agent {
			continue
		}
		changes++
		var waits []string
		for _, v := range s.Values {
			waits = append(waits, strconv.FormatFloat(v, 'f', -1, 64))
		}
		name := strings.Trim(s.Scope.Operation+" "+s.Scope.Category, " ")
		if e.Name == "temporal" {
			e.note(b, "%s, %s: published default 1 s; way back: initial_interval: 1s", s.ID, name)
			fmt.Fprintf(b, "initial_interval: %ss\n", waits[0])
			continue
		}
		e.note(b, "%s; published default 5, 15, 30 s; way back: - delays: 5s, 15s, 30s", s.ID)
		fmt.Fprintf(b, "- delays (%s): %ss\n", name, strings.Join(waits, "s, "))
	}
	return changes
}

// note writes a comment.
func (e *Emitter) note(b *strings.Builder, format string, args ...any) {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ") // a name may hold a line break
	if e.comment == "<!-- -->" {
		fmt.Fprintf(b, "<!-- %s -->\n", strings.ReplaceAll(text, "--", "- -"))
		return
	}
	fmt.Fprintf(b, "%s %s\n", e.comment, text)
}
