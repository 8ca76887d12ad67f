package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"hansei/analyze"
	"hansei/queries"
)

// An Emitter writes suggested changes in the terms of the system that must make
// them: its own setting's name, the value now, the range it takes, and the line
// that goes back.
type Emitter struct {
	Name     string
	head     string // where the settings stand
	comment  string // how a comment begins there
	agent    string // whose suggestions
	shared   bool   // agents call through it: where none has its name, all agents' suggestions may be of it
	apart    bool   // each operation has settings of its own
	settings []setting
	delays   func(waits []float64) delays // nil: it takes none
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
	{"agentskills", "Retry section of the skill's page", "<!-- -->", "agentskills", false, true, []setting{
		{"- max_retries: %d", "max_retries", nil, 3, 0, 10, 0},
	}, listedDelays},
	{"monadic", "Constants of NetworkErrorHandler and the vendors' helpers; the condition of should_stop_retrying?", "#", "monadic", false, false, []setting{
		{"DEFAULT_MAX_RETRIES = %d", "max_retries", transient, 5, 0, noLimit, 0},
		{"session[:error_patterns][:similar_count] >= %d", "stop_after", nil, 2, 0, noLimit, -1},
		{"MAX_FUNC_CALLS = %d", "call_depth", nil, 20, 1, noLimit, 0},
	}, doublingDelays},
	{"recovery", "The recovery agent's constants", "#", "recovery-agent", false, false, []setting{
		{"MAX_RETRY_ON_ERROR = %d", "max_retries", malformed, 2, 0, noLimit, 0},
	}, nil},
	{"openstarry", "SafetyMonitor's configuration", "//", "openstarry", false, false, []setting{
		{"frustrationThreshold: %d,", "stop_after", nil, 5, 1, noLimit, 0},
		{"maxLoopTicks: %d,", "call_depth", nil, 50, 0, noLimit, 0},
	}, nil},
	{"commandmate", "CommandMate has no setting for it: for whoever starts its sessions", "#", "commandmate", false, false, []setting{
		{"# times that a session is started again: %d", "max_retries", transient, 1, 0, noLimit, 0},
	}, nil},
	{"claude-code", "Environment, or env in settings.json", "#", "claude-code", false, false, []setting{
		{"CLAUDE_CODE_MAX_RETRIES=%d", "max_retries", transient, 10, 0, 15, 0},
	}, nil},
	{"codex", "config.toml, in [model_providers.<id>]", "#", "codex", false, false, []setting{
		{"request_max_retries = %d", "max_retries", []string{"rate_limit", "server_error"}, 4, 0, 100, 0},
		{"stream_max_retries = %d", "max_retries", []string{"network", "timeout"}, 5, 0, 100, 0},
	}, nil},
	{"gemini", "settings.json", "//", "gemini", false, false, []setting{
		{"\"general\": {\"maxAttempts\": %d}", "max_retries", transient, 10, 1, 10, 1},
	}, nil},
	{"litellm", "config.yaml, router_settings.retry_policy", "#", "litellm", true, false, []setting{
		{"RateLimitErrorRetries: %d", "max_retries", []string{"rate_limit"}, 2, 0, noLimit, 0},
		{"TimeoutErrorRetries: %d", "max_retries", []string{"timeout"}, 2, 0, noLimit, 0},
		{"InternalServerErrorRetries: %d", "max_retries", []string{"server_error"}, 2, 0, noLimit, 0},
		{"AuthenticationErrorRetries: %d", "max_retries", []string{"auth"}, 2, 0, noLimit, 0},
		{"BadRequestErrorRetries: %d", "max_retries", []string{"validation", "context_length"}, 2, 0, noLimit, 0},
		{"ContentPolicyViolationErrorRetries: %d", "max_retries", []string{"content_filter"}, 2, 0, noLimit, 0},
	}, nil},
	{"temporal", "RetryPolicy of the activity", "#", "temporal", true, true, []setting{
		{"maximum_attempts: %d", "max_retries", transient, 0, 0, noLimit, 1},
	}, growingDelays},
	{"aws", "~/.aws/config, or AWS_MAX_ATTEMPTS", "#", "aws", true, false, []setting{
		{"max_attempts = %d", "max_retries", transient, 3, 1, noLimit, 1},
	}, nil},
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

// Emit writes the settings that the suggestions change which a filter lets pass,
// whose cells these come from, and what the system has no setting for. Where a
// setting holds for other cells too, what these need counts.
func (e *Emitter) Emit(w io.Writer, t *analyze.Tuning, only queries.Filter) error {
	of, others := e.suggestions(t, only)
	var b strings.Builder
	e.note(&b, "%s, from what happened %s to %s", e.head, t.From.Format("2006-01-02"), t.To.AddDate(0, 0, -1).Format("2006-01-02"))
	said := map[string]bool{} // ids
	var settings strings.Builder
	for _, p := range e.parts(of, others) {
		var text strings.Builder
		for i := range e.settings {
			e.emitSetting(&text, &e.settings[i], p.of, said)
		}
		e.emitDelays(&text, p.of, said)
		if text.Len() > 0 && p.title != "" {
			e.note(&settings, "%s", p.title)
		}
		settings.WriteString(text.String())
	}
	if len(said) > 0 && others {
		e.note(&b, "the data does not tell what is of %s: each part below is from the calls of one agent; take over that whose calls go through it", e.Name)
	}
	b.WriteString(settings.String())
	for _, line := range t.Unknown {
		e.note(&b, "%s", line)
	}
	switch {
	case len(of) == 0 && !e.shared:
		e.note(&b, "nothing to change: no suggestion is about the agent %s", e.agent)
	case len(said) == 0:
		e.note(&b, "nothing to change")
	}
	for _, s := range of {
		if !others && (s.Changes() || s.Apart()) && !said[s.ID] {
			e.note(&b, "no setting for %s: %s, of %s", s.ID, s.InWords(), cellWords(&s))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// suggestions are those about the system's own agent, or others', which may call
// through it. What the filter leaves out stays as it is.
func (e *Emitter) suggestions(t *analyze.Tuning, only queries.Filter) (of []analyze.Suggestion, others bool) {
	var own []analyze.Suggestion
	for _, s := range t.Suggestions {
		if s.Changes() && !s.Scope.Concerns(only) {
			s.Verdict, s.Suggested, s.Values = analyze.Keep, s.Current, nil
		}
		of = append(of, s)
		if s.Scope.Agent == e.agent {
			own = append(own, s)
		}
	}
	if e.shared && len(own) == 0 {
		return of, true
	}
	return own, false
}

// A part of what is emitted holds each setting at most once.
type part struct {
	title string
	of    []analyze.Suggestion
}

// parts splits suggestions by what has settings of its own, in their order.
func (e *Emitter) parts(of []analyze.Suggestion, others bool) (parts []part) {
	at := map[string]int{} // by title
	for _, s := range of {
		var words []string
		if others {
			words = append(words, "calls of "+s.Scope.Agent)
		}
		if e.apart && s.Scope.Operation != "" {
			words = append(words, s.Scope.Operation)
		}
		title := strings.Join(words, ", ")
		i, known := at[title]
		if !known {
			i = len(parts)
			at[title] = i
			parts = append(parts, part{title: title})
		}
		parts[i].of = append(parts[i].of, s)
	}
	return parts
}

// span is the range of a setting.
func (s *setting) span() string {
	if s.high == noLimit {
		return strconv.Itoa(s.low) + " or more"
	}
	return strconv.Itoa(s.low) + " to " + strconv.Itoa(s.high)
}

// unset tells that a limit is not known but for what went on below it.
func (s *setting) unset(now int) bool { return s.knob == "stop_after" && now > s.usual }

// now says what is in force.
func (s *setting) now(now int) string {
	if s.unset(now) {
		return fmt.Sprintf("now %d %s or more, as the record goes beyond the default", now, s.unit())
	}
	return fmt.Sprintf("now %d %s", now, s.unit())
}

// back is the line that goes back.
func (s *setting) back(now int) string {
	if s.unset(now) {
		return "the line that stands there, by default " + fmt.Sprintf(s.line, s.usual)
	}
	return fmt.Sprintf(s.line, now)
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
