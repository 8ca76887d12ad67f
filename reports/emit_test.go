package reports

import (
	"strings"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

func whole(n int64) *int64 { return &n }

// Every system gets its own words, its range and the line that goes back.
func TestEmit(t *testing.T) {
	change := func(id, agent, category, knob string, current, suggested int64, values ...float64) analyze.Suggestion {
		verdict := analyze.Raise
		if suggested < current {
			verdict = analyze.Lower
		}
		return analyze.Suggestion{ID: id, Scope: analyze.Scope{Agent: agent, Operation: "op", Category: category}, Knob: knob,
			Current: whole(current), Suggested: whole(suggested), Verdict: verdict, Values: values}
	}
	tuning := &analyze.Tuning{
		From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		Suggestions: []analyze.Suggestion{
			change("s-1", "agentskills", "rate_limit", "max_retries", 3, 5),
			change("s-2", "agentskills", "rate_limit", "delays", 50, 140, 20, 45, 75),
			change("s-3", "monadic", "network", "max_retries", 5, 2),
			change("s-4", "recovery-agent", "malformed_output", "max_retries", 2, 3),
			change("s-5", "openstarry", "validation", "stop_after", 5, 3),
			change("s-6", "commandmate", "network", "max_retries", 1, 20),
			change("s-7", "monadic", "network", "stop_after", 3, 2),
			change("s-8", "monadic", "", "call_depth", 20, 12),
			change("s-9", "monadic", "network", "delays", 60, 20, 2, 4, 14),
			change("s-10", "openstarry", "", "call_depth", 50, 30),
			change("s-11", "claude-code", "network", "max_retries", 10, 20),
			change("s-12", "codex", "rate_limit", "max_retries", 4, 6),
			change("s-13", "gemini", "server_error", "max_retries", 5, 12),
			change("s-14", "recovery-agent", "code_error", "max_retries", 2, 3),
			change("s-15", "codex", "timeout", "max_retries", 5, 2),
			{ID: "s-16", Scope: analyze.Scope{Agent: "codex", Category: "network"}, Knob: "max_retries", Current: whole(5), Suggested: whole(5), Verdict: analyze.Keep},
		},
	}
	for system, want := range map[string][]string{
		"agentskills": {"- max_retries: 5\n", "- delays (op rate_limit): 20s, 45s, 75s\n", "now 3 retries, published default 3", "s-2, op rate_limit: the last retry comes after 50 s now, published default 5s, 15s, 30s", "by default - delays: 5s, 15s, 30s"},
		"monadic": {"DEFAULT_MAX_RETRIES = 2\n", "way back: DEFAULT_MAX_RETRIES = 5", "similar_count] >= 1\n", "now 2 errors after the first, published default 2, range 0 or more",
			"MAX_FUNC_CALLS = 12\n", "now 20 calls", "DEFAULT_RETRY_BASE_DELAY = 2\n", "by default DEFAULT_RETRY_BASE_DELAY = 1", "come to 2s, 4s in place of 2s, 4s;"}, // two retries are left of three
		"recovery":    {"MAX_RETRY_ON_ERROR = 3\n", "# no setting for s-14: max_retries to 3, of op × code_error\n"},
		"openstarry":  {"frustrationThreshold: 3,\n", "// now 5 errors", "maxLoopTicks: 30,\n", "way back: maxLoopTicks: 50,"},
		"commandmate": {"# times that a session is started again: 20\n"},
		"claude-code": {"CLAUDE_CODE_MAX_RETRIES=15\n", "range 0 to 15"}, // 20 is more than it takes
		"codex":       {"request_max_retries = 6\n", "# unchanged by s-15, since another cell of this setting still needs 5: stream_max_retries = 5\n", "range 0 to 100"},
		"gemini":      {"\"general\": {\"maxAttempts\": 10}\n", "now 6 attempts, published default 10, range 1 to 10"},
		"litellm":     {"RateLimitErrorRetries: 6\n", "# the data does not tell what is of litellm: each part below is from the calls of one agent; take over", "# calls of codex\n", "way back: RateLimitErrorRetries: 4\n"},
		"temporal":    {"maximum_attempts: 21\n", "range 0 or more", "initial_interval: 20s\nbackoff_coefficient: 1.9\n", "ranges above 0 s"},
		"aws":         {"max_attempts = 21\n", "way back: max_attempts = 11"},
	} {
		e, err := EmitterNamed(system)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := e.Emit(&b, tuning, queries.Filter{}); err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(b.String(), line) {
				t.Errorf("%s: no %q in\n%s", system, line, b.String())
			}
		}
	}
	if n := strings.Count(EmitterNames(), ",") + 1; n != 11 {
		t.Errorf("%d systems", n)
	}
}

// A system that many call through is told of its own calls where there are any,
// of one operation's settings once, and never of a limit that nobody set.
func TestEmitParts(t *testing.T) {
	of := func(id, agent, operation, category, knob string, current, suggested int64, values ...float64) analyze.Suggestion {
		return analyze.Suggestion{ID: id, Scope: analyze.Scope{Agent: agent, Operation: operation, Category: category}, Knob: knob,
			Current: whole(current), Suggested: whole(suggested), Verdict: analyze.Lower, Values: values}
	}
	tuning := &analyze.Tuning{Suggestions: []analyze.Suggestion{
		of("s-1", "claude-code", "llm", "network", "max_retries", 12, 3),
		of("s-2", "temporal", "fetch", "network", "max_retries", 5, 3),
		of("s-3", "temporal", "fetch", "network", "delays", 300, 60, 48, 48, 48),
		of("s-4", "temporal", "fetch", "timeout", "delays", 300, 60, 10, 40),
		of("s-5", "temporal", "store", "timeout", "delays", 300, 60, 10, 20),
		of("s-6", "openstarry", "llm", "network", "stop_after", 6, 3),
		of("s-7", "monadic", "llm", "network", "delays", 551, 144, 48, 48, 48),
	}}
	for system, want := range map[string]string{
		"temporal": `# RetryPolicy of the activity, from what happened 0001-01-01 to 0000-12-31
# fetch
# now 6 attempts, published default 0, range 0 or more; from s-2; way back: maximum_attempts: 6
maximum_attempts: 4
# s-3, fetch network: the last retry comes after 300 s now, published defaults 1s and 2, ranges above 0 s and 1 or more; way back: the lines that stand there, by default initial_interval: 1s and backoff_coefficient: 2
initial_interval: 48s
backoff_coefficient: 1
# store
# s-5, store timeout: the last retry comes after 300 s now, published defaults 1s and 2, ranges above 0 s and 1 or more; way back: the lines that stand there, by default initial_interval: 1s and backoff_coefficient: 2
initial_interval: 10s
backoff_coefficient: 2
# no setting for s-4: delays to [10, 40], of fetch × timeout
`,
		"openstarry": `// SafetyMonitor's configuration, from what happened 0001-01-01 to 0000-12-31
// now 6 errors or more, as the record goes beyond the default, published default 5, range 1 or more; from s-6; way back: the line that stands there, by default frustrationThreshold: 5,
frustrationThreshold: 3,
`,
		"monadic": `# Constants of NetworkErrorHandler and the vendors' helpers; the condition of should_stop_retrying?, from what happened 0001-01-01 to 0000-12-31
# s-7, llm network: the last retry comes after 551 s now, it doubles up to 30 s, so the waits come to 30s, 30s, 30s in place of 48s, 48s, 48s; published default 1 s, range 0 to 30 s; way back: the line that stands there, by default DEFAULT_RETRY_BASE_DELAY = 1
DEFAULT_RETRY_BASE_DELAY = 30
`,
	} {
		e, err := EmitterNamed(system)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := e.Emit(&b, tuning, queries.Filter{}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s:\n%s\nwant\n%s", system, b.String(), want)
		}
	}
}

// What another system retries says nothing of Claude Code: its default of 10 is
// not replaced by their 5.
func TestEmitOnlyItsOwn(t *testing.T) {
	e, err := EmitterNamed("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := e.Emit(&b, &analyze.Tuning{Suggestions: []analyze.Suggestion{{ID: "s-1", Scope: analyze.Scope{Agent: "monadic", Category: "network"},
		Knob: "max_retries", Current: whole(5), Suggested: whole(2), Verdict: analyze.Lower}}}, queries.Filter{}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "CLAUDE_CODE_MAX_RETRIES") || !strings.Contains(text, "# nothing to change: no suggestion is about the agent claude-code\n") {
		t.Error(text)
	}
}

// One setting that several cells share is the most that any of them needs; where
// some want more and others less it stays, and who else is concerned is named.
func TestEmitOneForAll(t *testing.T) {
	of := func(id, operation, knob string, verdict analyze.Verdict, current, suggested *int64, values ...float64) analyze.Suggestion {
		return analyze.Suggestion{ID: id, Scope: analyze.Scope{Agent: "monadic", Operation: operation, Category: "network"}, Knob: knob,
			Current: current, Suggested: suggested, Verdict: verdict, Values: values}
	}
	fewer := of("s-1", "a", "max_retries", analyze.Lower, whole(3), whole(0))
	more := of("s-2", "b", "max_retries", analyze.Raise, whole(3), whole(4))
	stays := of("s-3", "c", "max_retries", analyze.Keep, whole(3), whole(3))
	thin := of("s-4", "d", "max_retries", analyze.TooLittleData, whole(3), nil)
	short := of("s-5", "a", "delays", analyze.Lower, whole(60), whole(20), 10, 10)
	long := of("s-6", "b", "delays", analyze.Lower, whole(90), whole(40), 20, 20)
	fits := of("s-7", "c", "delays", analyze.Keep, whole(70), whole(70))
	for _, test := range []struct {
		name string
		of   []analyze.Suggestion
		only queries.Filter
		want []string
		not  string
	}{
		{"more and less", []analyze.Suggestion{more, fewer}, queries.Filter{},
			[]string{"# unchanged, since this one setting holds for cells that want more and for cells that want less: s-2 4 (b × network); s-1 0 (a × network)\n"}, "DEFAULT_MAX_RETRIES = "},
		{"more", []analyze.Suggestion{more, stays, thin}, queries.Filter{},
			[]string{"DEFAULT_MAX_RETRIES = 4\n", "from s-2; way back: DEFAULT_MAX_RETRIES = 3; it allows as many to c × network, which need no more than now; it holds too for d × network, of which too little is known\n"}, "unchanged"},
		{"less, alone", []analyze.Suggestion{fewer}, queries.Filter{}, []string{"DEFAULT_MAX_RETRIES = 0\n"}, "unchanged"},
		{"less, with another that needs it", []analyze.Suggestion{fewer, stays}, queries.Filter{},
			[]string{"# unchanged by s-1, since another cell of this setting still needs 3: DEFAULT_MAX_RETRIES = 3\n"}, "\nDEFAULT"},
		{"only one operation is asked for", []analyze.Suggestion{short, long, more}, queries.Filter{Operation: "a"},
			[]string{"# unchanged by s-5, since this one setting holds for b × network too, whose waits stay\n"}, "\nDEFAULT"},
		{"the longer waits", []analyze.Suggestion{short, long}, queries.Filter{}, []string{"# s-6, b network", "DEFAULT_RETRY_BASE_DELAY = 13.4\n", "no setting for s-5"}, "unchanged"},
		{"waits that stay", []analyze.Suggestion{short, long, fits}, queries.Filter{}, []string{"# unchanged by s-6, since this one setting holds for c × network too, whose waits stay\n"}, "\nDEFAULT"},
	} {
		e, err := EmitterNamed("monadic")
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := e.Emit(&b, &analyze.Tuning{Suggestions: test.of}, test.only); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", test.name, want, b.String())
			}
		}
		if strings.Contains(b.String(), test.not) {
			t.Errorf("%s: %q in\n%s", test.name, test.not, b.String())
		}
	}
}
