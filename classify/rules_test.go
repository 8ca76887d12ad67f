package classify

import (
	"regexp/syntax"
	"slices"
	"testing"
)

// builtinClassifier is a Classifier of the built-in rules.
func builtinClassifier(t testing.TB) *Classifier {
	t.Helper()
	c, err := New(Builtin())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestExamples(t *testing.T) {
	rules := Builtin()
	for _, m := range builtinClassifier(t).Check(rules) {
		t.Errorf("%s: rule %s: %q: %s", m.File, m.Rule, m.Example, m.Reason)
	}
	for _, r := range rules {
		if len(r.Examples) == 0 || len(r.Counterexamples) == 0 || r.Why == "" || r.Advice.EN == "" || r.Advice.JA == "" {
			t.Errorf("%s: rule %s: wants examples, counterexamples, why, and advice in both languages", r.File, r.Name)
		}
	}
}

// A pattern whose alternatives all stand at the start of the text says so once:
// regexp does not see it otherwise, and tries each of them at every place.
func TestPatternsStartOnce(t *testing.T) {
	for _, r := range Builtin() {
		re, err := syntax.Parse(r.expression(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if re.Op != syntax.OpAlternate {
			continue
		}
		if !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !startsText(s) }) {
			t.Errorf("rule %s: write ^(a|b) for ^a|^b", r.Name)
		}
	}
}

func startsText(re *syntax.Regexp) bool {
	for re.Op == syntax.OpConcat || re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	return re.Op == syntax.OpBeginText
}
