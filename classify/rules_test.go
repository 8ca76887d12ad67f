package classify

import "testing"

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
