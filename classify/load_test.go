package classify

import (
	"strings"
	"testing"
	"testing/fstest"

	"hansei/ingest"
)

// folder is a folder of one rules file.
func folder(name, text string) fstest.MapFS {
	return fstest.MapFS{name: &fstest.MapFile{Data: []byte(text)}}
}

func TestLoad(t *testing.T) {
	rules, err := Load(folder("font.yaml", `
- name: our-printer
  phrases: ["the printer sulks"]
- name: overloaded
  weight: hint
  phrases: ["overloaded beyond hope"]
`))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(Builtin()) + 1; len(rules) != want {
		t.Errorf("%d rules, want %d: one new, one in the place of another", len(rules), want)
	}
	c, err := New(rules)
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]Category{
		"The printer sulks.": Font, "overloaded beyond hope": Font, "connect ECONNREFUSED": Network,
	} {
		if got := c.Tag(&ingest.Event{Message: message}); got.Category != want {
			t.Errorf("%q: %s by %q, want %s", message, got.Category, got.Rule, want)
		}
	}
	if rules, err := Load(fstest.MapFS{}); err != nil || len(rules) != len(Builtin()) {
		t.Errorf("an empty folder: %d rules, %v", len(rules), err)
	}
	if rules, err := Load(folder("font.yaml", "")); err != nil || len(rules) != len(Builtin()) {
		t.Errorf("an empty file: %d rules, %v", len(rules), err)
	}
}

// TestLoadRefuses wants a broken file refused whole, with file, line and reason.
func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"fonts.yaml", "", "fonts.yaml: no such category"},
		{"font.yml", "", "font.yml: no such category"},
		{"resolution.yaml", "", "resolution.yaml: no such category"},
		{"font.yaml", "name: x", "font.yaml:1: want a list of rules"},
		{"font.yaml", "- x", "font.yaml:1: want a rule with a name"},
		{"font.yaml", "- name: [", "font.yaml:1: did not find"},
		{"font.yaml", "\n- phrases: [abc]", "font.yaml:2: a rule without a name"},
		{"font.yaml", "- name: x", `font.yaml:1: rule "x": needs phrases or codes`},
		{"font.yaml", "- name: x\n  phrase: [abc]", `font.yaml:2: unknown field "phrase"`},
		{"font.yaml", "- name: x\n  weight: heavy\n  phrases: [abc]", `font.yaml:1: rule "x": no weight "heavy"`},
		{"font.yaml", "- name: x\n  phrases: [a]", `font.yaml:1: rule "x": "a": phrase needs a literal part`},
		{"font.yaml", "- name: x\n  phrases: ['# * #']", `font.yaml:1: rule "x": "# * #": phrase needs a literal part`},
		{"font.yaml", "- name: x\n  phrases: [abc]\n  pattern: '('", `font.yaml:1: rule "x": error parsing regexp`},
		{"font.yaml", "- name: x\n  codes: [abc]\n  pattern: 'a'", `font.yaml:1: rule "x": a pattern needs phrases`},
		{"font.yaml", "- name: x\n  phrases: [abc]\n- name: x\n  phrases: [abd]", `font.yaml:3: rule "x" is already in font.yaml:1`},
		{"font.yaml", "- name: x\n  phrases: {a: b}", "font.yaml:2: cannot unmarshal"},
		{"font.yaml", "- name: x\n  phrases: [abc]\n---\n- name: y\n  phrases: [abd]", "font.yaml:3: a second YAML document"},
		{"font.yaml", "- name: x\n  phrases: [abc]\n---\n- name: [", "font.yaml:4: did not find"},
	} {
		rules, err := Load(folder(test.file, test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s %q: %d rules, %v; want %s", test.file, test.text, len(rules), err, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	rules, err := Load(folder("font.yaml", `
- name: our-printer
  phrases: ["the printer sulks"]
  examples: ["the printer sulks", "all is fine"]
  counterexamples: ["the printer sulks a little"]
`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(rules)
	if err != nil {
		t.Fatal(err)
	}
	if list := c.Check(rules[len(rules)-1:]); len(list) != 2 || list[0].Rule != "our-printer" || list[0].File != "font.yaml:2" {
		t.Errorf("mismatches: %+v", list)
	}
}

// TestPhrases holds what the signs of a phrase mean.
func TestPhrases(t *testing.T) {
	for _, test := range []struct {
		phrase, text string
		want         bool
	}{
		{"timed out", "it Timed  Out.", true}, {"timed out", "it timed outside", false}, {"timed out*", "it timed outside", true},
		{"timed out", "untimed out", false}, {"*timed out", "untimed out", true}, {"timed out", "timed\n   out", true},
		{"timeout", "timeout.py", false}, {"timeout", "test_timeout", false}, {"timeout", "timeout.", true},
		{"=Killed", "Killed", true}, {"=Killed", "killed", false},
		{"retry in #s", "retry in 3.5s", true}, {"retry in #s", "retry in s", false}, {"# failed", "12 failed", true}, {"# failed", "x failed", false},
		{"## failed", "0 failed", false}, {"## failed", "10 failed", true}, {"fail ##", "fail 0", false}, {"fail ##", "fail 2", true},
		{"model * not found", "model 'x' not found", true}, {"model * not found", "remodel x not found", false},
		{"model * not found", "model x\nnot found", false}, {"model ** not found", "model x\nnot found", true},
		{"model '*' not found", "model 'a b' not found", true}, {"フォント", "日本語フォントなし", true}, {"code #", "code 1,024", true},
	} {
		c, err := New([]Rule{{Name: "x", Category: Font, Weight: Cause, Phrases: []string{test.phrase}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Tag(&ingest.Event{Message: test.text}).Category == Font; got != test.want {
			t.Errorf("phrase %q in %q: %v", test.phrase, test.text, got)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("- name: x\n  phrases: [abc]\n", "abc")
	f.Add("- name: x\n  phrases: ['*a # b ** c*']\n  pattern: 'a+'\n  with: [abc]\n  unless: ['=x y']\n", "a 1 b c")
	f.Add("- name: x\n  codes: [E1, '404', 'exit:3', 'AB*', 'field:x']\n  line: true\n  phrases: [zzz]\n", "E1")
	f.Fuzz(func(t *testing.T, text, message string) {
		rules, err := readRules(folder("font.yaml", text), "")
		again, errAgain := readRules(folder("font.yaml", text), "")
		if (err == nil) != (errAgain == nil) || len(rules) != len(again) {
			t.Fatalf("two answers: %v, %v", err, errAgain)
		}
		if err != nil || len(rules) == 0 {
			return
		}
		c, err := New(rules)
		if err != nil {
			t.Fatalf("loaded, but not taken: %v", err)
		}
		e := ingest.Event{Message: message}
		if first := c.Tag(&e); first != c.Tag(&e) {
			t.Error("two answers")
		}
	})
}
