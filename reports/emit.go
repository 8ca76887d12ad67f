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
	agent    string // whose suggestions; empty: all agents', as what they call may be of this system
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
	plus       int      // from the knob's count to the system's own: 1 where it counts attempts, -1 where from 0
}

// unit is what the system counts.
func (s *setting) unit() string {
	switch {
	case s.knob == "max_retries" && s.plus == 1:
		return "attempts"
	case s.knob == "stop_after" && s.plus == -1:
		return "errors after the first"
	}
	return analyze.UnitOf(s.knob)
}

// Categories by the error classes that systems know.
var (
	transient = []string{"rate_limit", "network", "server_error", "timeout"}
	malformed = []string{"malformed_output"}
)

// noLimit is the range of a setting whose document names no upper end.
const noLimit = 1 << 30

// emitters lists the systems. Names, defaults and ranges are those of:
//   - AgentSkills and the recovery agent: their own documents;
//   - Monadic Chat: network_error_handler.rb, error_pattern_detector.rb (which
//     counts from 0) and MAX_FUNC_CALLS of the vendors' helpers, as of 2025-12;
//   - OpenStarry: packages/core/src/security/safety-monitor.ts, where 0 ticks are
//     no limit;
//   - CommandMate: no setting of its own is published, so the number stands in a
//     comment for whoever starts its sessions;
//   - Claude Code: "Environment variables" and "Error reference";
//   - Codex: model_provider_info.rs, which caps both at 100;
//   - Gemini CLI: settingsSchema.ts, general.maxAttempts, "Cannot exceed 10";
//   - LiteLLM: Router, RetryPolicy; the default is that of num_retries;
//   - Temporal: "What is a Temporal Retry Policy", where 0 attempts are no limit;
//   - AWS SDKs and Tools: "Retry behavior", standard mode.
var emitters = []Emitter{
	{"agentskills", "Retry section of the skill's page", "<!-- -->", "agentskills", []setting{
		{"- max_retries: %d", "max_retries", nil, 3, 0, 10, 0},
	}},
	{"monadic", "Constants of NetworkErrorHandler and the vendors' helpers; the condition of should_stop_retrying?", "#", "monadic", []setting{
		{"DEFAULT_MAX_RETRIES = %d", "max_retries", transient, 5, 0, noLimit, 0},
		{"session[:error_patterns][:similar_count] >= %d", "stop_after", nil, 2, 0, noLimit, -1},
		{"MAX_FUNC_CALLS = %d", "call_depth", nil, 20, 1, noLimit, 0},
	}},
	{"recovery", "The recovery agent's constants", "#", "recovery-agent", []setting{
		{"MAX_RETRY_ON_ERROR = %d", "max_retries", malformed, 2, 0, noLimit, 0},
	}},
	{"openstarry", "SafetyMonitor's configuration", "//", "openstarry", []setting{
		{"frustrationThreshold: %d,", "stop_after", nil, 5, 1, noLimit, 0},
		{"maxLoopTicks: %d,", "call_depth", nil, 50, 0, noLimit, 0},
	}},
	{"commandmate", "CommandMate has no setting for it: for whoever starts its sessions", "#", "commandmate", []setting{
		{"# times that a session is started again: %d", "max_retries", transient, 1, 0, noLimit, 0},
	}},
	{"claude-code", "Environment, or env in settings.json", "#", "claude-code", []setting{
		{"CLAUDE_CODE_MAX_RETRIES=%d", "max_retries", transient, 10, 0, 15, 0},
	}},
	{"codex", "config.toml, in [model_providers.<id>]", "#", "codex", []setting{
		{"request_max_retries = %d", "max_retries", []string{"rate_limit", "server_error"}, 4, 0, 100, 0},
		{"stream_max_retries = %d", "max_retries", []string{"network", "timeout"}, 5, 0, 100, 0},
	}},
	{"gemini", "settings.json", "//", "gemini", []setting{
		{"\"general\": {\"maxAttempts\": %d}", "max_retries", transient, 10, 1, 10, 1},
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
		{"maximum_attempts: %d", "max_retries", transient, 0, 0, noLimit, 1},
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

// Emit writes the settings that the suggestions change, whose cells these come
// from, and what the system has no setting for.
func (e *Emitter) Emit(w io.Writer, t *analyze.Tuning) error {
	of := slices.DeleteFunc(slices.Clone(t.Suggestions), func(s analyze.Suggestion) bool { return e.agent != "" && s.Scope.Agent != e.agent })
	said := map[string]bool{} // ids
	var settings strings.Builder
	changes := 0
	for _, s := range e.settings {
		if e.emitSetting(&settings, &s, of, said) {
			changes++
		}
	}
	if e.Name == "agentskills" || e.Name == "monadic" || e.Name == "temporal" {
		changes += e.emitDelays(&settings, of, said)
	}
	var b strings.Builder
	e.note(&b, "%s, from what happened %s to %s", e.head, t.From.Format("2006-01-02"), t.To.AddDate(0, 0, -1).Format("2006-01-02"))
	if changes > 0 && e.agent == "" {
		e.note(&b, "the data does not tell what is of %s: these numbers are from the calls of %s; take them over where those go through it", e.Name, strings.Join(agentsOf(of, said), ", "))
	}
	b.WriteString(settings.String())
	switch {
	case e.agent != "" && len(of) == 0:
		e.note(&b, "nothing to change: no suggestion is about the agent %s", e.agent)
	case changes == 0:
		e.note(&b, "nothing to change")
	}
	for _, s := range of {
		if e.agent != "" && s.Changes() && !said[s.ID] {
			e.note(&b, "no setting for %s: %s to %s, of %s", s.ID, s.Knob, s.Setting(), strings.Join(strings.Fields(s.Scope.Operation+" "+s.Scope.Category), " × "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// agentsOf are the agents of the suggestions that were said, each once.
func agentsOf(of []analyze.Suggestion, said map[string]bool) (names []string) {
	for _, s := range of {
		if said[s.ID] {
			names = append(names, s.Scope.Agent)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// emitSetting writes one setting, when its cells want another value.
func (e *Emitter) emitSetting(b *strings.Builder, set *setting, of []analyze.Suggestion, said map[string]bool) bool {
	now, want := -1, -1
	var ids []string
	for _, s := range of {
		if s.Knob != set.knob || s.Suggested == nil || len(set.categories) > 0 && !slices.Contains(set.categories, s.Scope.Category) {
			continue
		}
		want = max(want, int(*s.Suggested))
		if s.Current != nil {
			now = max(now, int(*s.Current))
		}
		if s.Changes() {
			ids = append(ids, s.ID)
			said[s.ID] = true
		}
	}
	if len(ids) == 0 {
		return false
	}
	if now < 0 {
		now = set.usual - set.plus
	}
	value := min(max(want+set.plus, set.low), set.high)
	if now == want {
		e.note(b, "unchanged by %s, since another cell of this setting still needs %d: %s", strings.Join(ids, ", "), value, fmt.Sprintf(set.line, value))
		return false
	}
	span := strconv.Itoa(set.low) + " to " + strconv.Itoa(set.high)
	if set.high == noLimit {
		span = strconv.Itoa(set.low) + " or more"
	}
	e.note(b, "now %d %s, published default %d, range %s; from %s; way back: %s", now+set.plus, set.unit(), set.usual, span, strings.Join(ids, ", "), fmt.Sprintf(set.line, now+set.plus))
	fmt.Fprintf(b, set.line+"\n", value)
	return true
}

// emitDelays writes the waits of the cells that want other ones.
func (e *Emitter) emitDelays(b *strings.Builder, of []analyze.Suggestion, said map[string]bool) (changes int) {
	for _, s := range of {
		if s.Knob != "delays" || !s.Changes() {
			continue
		}
		if e.Name == "monadic" && (changes > 0 || !slices.Contains(transient, s.Scope.Category)) {
			continue // one base for all: that of the first, which gains most
		}
		changes++
		said[s.ID] = true
		var waits []string
		for _, v := range s.Values {
			waits = append(waits, strconv.FormatFloat(v, 'f', -1, 64))
		}
		name := strings.Trim(s.Scope.Operation+" "+s.Scope.Category, " ")
		now := ""
		if s.Current != nil {
			now = fmt.Sprintf("the last retry comes after %d s now, ", *s.Current)
		}
		switch e.Name {
		case "temporal":
			e.note(b, "%s, %s: %spublished default 1 s, range above 0 s; way back: initial_interval: 1s", s.ID, name, now)
			fmt.Fprintf(b, "initial_interval: %ss\n", waits[0])
		case "monadic": // doubles from its base
			e.note(b, "%s, %s: %spublished default 1 s, range 0 to 30 s; way back: DEFAULT_RETRY_BASE_DELAY = 1", s.ID, name, now)
			fmt.Fprintf(b, "DEFAULT_RETRY_BASE_DELAY = %s\n", waits[0])
		default:
			e.note(b, "%s: %spublished default 5, 15, 30 s, range 0 s or more; way back: - delays: 5s, 15s, 30s", s.ID, now)
			fmt.Fprintf(b, "- delays (%s): %ss\n", name, strings.Join(waits, "s, "))
		}
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
