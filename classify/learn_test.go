package classify

import (
	"reflect"
	"testing"

	"hansei/ingest"
)

// TestLearn wants the same lessons from the same texts, and an answer about a
// text that was not among them.
func TestLearn(t *testing.T) {
	learn := func() *vocabulary {
		var l learner
		for i, row := range Categories {
			for _, text := range []string{"failed: the " + string(row.Name) + " gave up", "the " + string(row.Name) + " has failed", ""} {
				l.add(i, text)
			}
		}
		return l.learn()
	}
	v := learn()
	if !reflect.DeepEqual(v, learn()) {
		t.Error("the same texts taught something else")
	}
	for _, row := range Categories {
		if got, ok := v.judge([]byte("it failed, said the "+string(row.Name)), false); !ok || got != row.Name {
			t.Errorf("%s: got %s, %v", row.Name, got, ok)
		}
	}
	if got, ok := v.judge([]byte("nobody wrote of this"), false); ok {
		t.Errorf("words that were not learned: %s", got)
	}
}

// TestOwnRuleStands wants the words of a text to leave alone what a user's own
// rule says, be it by general words only.
func TestOwnRuleStands(t *testing.T) {
	own := Rule{Name: "own-turbine", Category: Plot, Weight: Hint, Phrases: []string{"hostname lookup"}, File: "plot.yaml:1"}
	c, err := New(append(Builtin(), own))
	if err != nil {
		t.Fatal(err)
	}
	e := ingest.Event{Message: "hostname lookup failure"}
	if tag := c.Tag(&e); tag.Rule != own.Name {
		t.Errorf("%s by %q, want the user's rule", tag.Category, tag.Rule)
	}
	if tag := builtinClassifier(t).Tag(&e); tag.Rule != WordsRule {
		t.Errorf("without it: %s by %q, want the words to decide", tag.Category, tag.Rule)
	}
}
