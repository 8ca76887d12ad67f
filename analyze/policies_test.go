package analyze

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestPolicies(t *testing.T) {
	p, err := ParsePolicies(DefaultPolicies)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Of(Scope{Agent: "agentskills", Operation: "review", Category: "quality_gate"})
	if *got.MaxRetries != 2 || *got.ScoreBar != 70 || len(got.Delays) != 3 {
		t.Errorf("%+v: the category's entry beside the agent's", got)
	}
	before, after, err := p.Set(&Suggestion{Scope: Scope{Agent: "monadic"}, Knob: "max_retries", Suggested: number(2), Verdict: Lower})
	if err != nil || before != "5" || after != "2" {
		t.Fatalf("before %q, after %q, %v", before, after, err)
	}
	_, _, err = p.Set(&Suggestion{Scope: Scope{Agent: "a", Operation: "yes", Category: "network"}, Knob: "delays", Suggested: number(60), Values: []float64{2.5, 10}, Verdict: Raise})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Monadic: five retries", "# Retry policies.", "max_retries: 2\n    stop_after: 3", "operation: yes", "delays: [2.5, 10]"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if again, err := ParsePolicies(text); err != nil || *again.Of(Scope{Agent: "monadic"}).MaxRetries != 2 || len(again.Of(Scope{Agent: "a", Operation: "yes", Category: "network"}).Delays) != 2 {
		t.Errorf("read again: %v", err)
	}
	if lines := strings.Count(string(text), "\n") - strings.Count(string(DefaultPolicies), "\n"); lines != 4 {
		t.Errorf("the file grew by %d lines, want the 4 of the new entry", lines)
	}
}

// A cell that may retry twice has two waits, whichever was set first.
func TestWaitsOfRetries(t *testing.T) {
	cell := Scope{Agent: "a", Operation: "op", Category: "network"}
	waits := Suggestion{Scope: cell, Knob: "delays", Suggested: number(60), Values: []float64{5, 15, 30}, Verdict: Lower}
	twice := Suggestion{Scope: cell, Knob: "max_retries", Suggested: number(2), Verdict: Lower}
	never := Suggestion{Scope: cell, Knob: "max_retries", Suggested: number(0), Verdict: Lower}
	for _, test := range []struct {
		name  string
		set   []*Suggestion
		after string // the last one
		want  string
	}{
		{"waits alone", []*Suggestion{&waits}, "[5, 15, 30]", "delays: [5, 15, 30]\n"},
		{"retries, then waits", []*Suggestion{&twice, &waits}, "[5, 15]", "delays: [5, 15] # as many as max_retries\n"},
		{"waits, then retries", []*Suggestion{&waits, &twice}, "2", "delays: [5, 15] # as many as max_retries\n"},
		{"no retries", []*Suggestion{&waits, &never}, "0", "delays: [] # as many as max_retries\n"},
	} {
		p, err := ParsePolicies([]byte("version: 1\npolicies:\n  - agent: b\n    max_retries: 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		var after string
		for _, s := range test.set {
			if _, after, err = p.Set(s); err != nil {
				t.Fatal(err)
			}
		}
		text, err := p.Bytes()
		if err != nil || after != test.after || !strings.Contains(string(text), test.want) {
			t.Errorf("%s: %v, after %q, want %q and %q in\n%s", test.name, err, after, test.after, test.want, text)
		}
	}
}

func TestBadPolicies(t *testing.T) {
	for text, want := range map[string]string{
		"version: 2\npolicies: []\n": "version 2",
		"policies: []\n":             "it names no version; a policy file begins with the line version: 1",
		"# nothing\n":                "it is empty; a policy file begins with the line version: 1",
		"version: 1\npolicies:\n  - agent: a\n    max_retries: 2.5\n":    "line 4: max_retries is 2.5; it is a whole number",
		"version: 1\npolicies:\n  - {agent: a, stop_after: 1e1}\n":       "stop_after is 1e1; it is a whole number",
		"version: 1\npolicies:\n  - category: netwrok\n":                 `line 3: category "netwrok" is not known; did you mean network? There are: rate_limit`,
		"version: 1\npolicies:\n  - agent: a\n    max_retrys: 1\n":       `line 4: unknown field "max_retrys"; there are: agent, operation,`,
		"version: 1\npolicy: []\n":                                       `line 2: unknown field "policy"; there are: version, policies`,
		"version: 1\npolicies:\n  - agent: a\n    max_retries: -1\n":     "line 3",
		"version: 1\npolicies:\n  - agent: a\n    max_retries: [1, 2]\n": "line 4",
	} {
		if _, err := ParsePolicies([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ParsePolicies(nil); err == nil {
		t.Error("an empty file is no policy file")
	}
}

// A policy file that is begun sets nothing, and names what the documents do, of
// which each entry can be taken over as it stands.
func TestStartPolicies(t *testing.T) {
	start := string(StartPolicies())
	p, err := ParsePolicies([]byte(start))
	if err != nil || len(p.Entries()) != 0 {
		t.Fatalf("%v, %v", p, err)
	}
	if _, _, err := p.Set(&Suggestion{Scope: Scope{Agent: "a"}, Knob: "max_retries", Suggested: number(2), Verdict: Lower}); err != nil {
		t.Fatal(err)
	}
	text, err := p.Bytes()
	if want := strings.TrimSuffix(start, " []\n") + "\n  - agent: a\n    max_retries: 2\n"; err != nil || string(text) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, text, want)
	}
	_, listed, _ := strings.Cut(start, "without its mark.\n#\n")
	listed, _, _ = strings.Cut(listed, "version: 1\n")
	var taken strings.Builder
	for line := range strings.Lines(listed) {
		taken.WriteString(strings.TrimPrefix(line, "# "))
	}
	all, err := ParsePolicies([]byte("version: 1\npolicies:\n" + taken.String()))
	defaults, _ := ParsePolicies(DefaultPolicies)
	if err != nil || !reflect.DeepEqual(all.Entries(), defaults.Entries()) {
		t.Errorf("taken over: %v\n%s", err, taken.String())
	}
}

func TestPatchIsAPolicyFile(t *testing.T) {
	text, err := Patch([]Suggestion{
		{ID: "s-1", Scope: Scope{Agent: "a", Category: "auth"}, Knob: "max_retries", Suggested: number(0), Verdict: Lower, Reason: Text{EN: "Never passes."}},
		{ID: "s-2", Scope: Scope{Agent: "a"}, Knob: "max_retries", Suggested: number(3), Verdict: Keep},
		{ID: "s-3", Scope: Scope{Agent: "a", Operation: "re\nview"}, Knob: "score_bar", Current: number(70), Suggested: number(70), Values: []float64{62.5}, Verdict: Lower},
		{ID: "s-4", Scope: Scope{Agent: "a"}, Knob: "score_bar", Current: number(70), Suggested: number(70), Verdict: Keep},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "# left out, as a policy file has no threshold for it: s-3, stop iterating below 62.5 points, of a × re view\nversion: 1\npolicies:\n  # s-1: Never passes.\n  - agent: a\n    category: auth\n    max_retries: 0\n"
	if string(text) != want {
		t.Errorf("got\n%s", text)
	}
}

// What differs between two files is told by cell and threshold, whatever
// entries say it; of two entries of one cell the later one wins.
func TestChangesBetween(t *testing.T) {
	before := policies(t, "  - {agent: a, max_retries: 3, delays: [5, 15.5]}\n  - {agent: b, timeout: 60}\n")
	after := policies(t, "  - {agent: a, max_retries: 4}\n  - {agent: a, max_retries: 2, delays: [5, 15.5]}\n")
	var got []string
	for _, c := range ChangesBetween(before, after) {
		got = append(got, c.Agent+" "+c.Knob+" "+c.Previous+">"+c.Setting)
	}
	if want := "a max_retries 3>2, b timeout 60>"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(after.Entries()); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

// Every field of a policy is one that a file may have.
func TestPolicyFields(t *testing.T) {
	var fields []string
	for field := range reflect.TypeFor[Policy]().Fields() {
		fields = append(fields, field.Tag.Get("yaml"))
	}
	if !slices.Equal(fields, policyFields) {
		t.Errorf("a policy has %v, a file may have %v", fields, policyFields)
	}
}
