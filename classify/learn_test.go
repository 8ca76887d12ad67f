package classify

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"hansei/ingest"
	"hansei/queries/golden"
)

// TestLessons wants lessons.bin to be what the samples and the examples of the
// built-in rules teach. On another machine a weight may be rounded the other way.
func TestLessons(t *testing.T) {
	learned := builtinLearner(Builtin()).learn()
	if golden.Updating() {
		golden.File(t, "lessons.bin", string(learned))
		return
	}
	want, _ := newVocabulary(string(learned))
	got := builtinVocabulary()
	same := slices.Equal(got.words.hashes, want.words.hashes)
	for i := range min(len(got.known), len(want.known)) {
		a, b := got.known[i], want.known[i]
		same = same && math.Abs(float64(a.rarity-b.rarity)) < 1e-5
		for k := 0; k < len(a.says); k += unitSize {
			off := int16(binary.LittleEndian.Uint16([]byte(a.says[k:]))) - int16(binary.LittleEndian.Uint16([]byte(b.says[k:])))
			same = same && off >= -1 && off <= 1
		}
	}
	if !same {
		t.Error("lessons.bin is not what samples and examples teach now: go generate ./classify")
	}
}

// TestLearn wants the same lessons from the same texts, and an answer about a
// text that was not among them.
func TestLearn(t *testing.T) {
	learn := func() string {
		var l learner
		for i, row := range Categories {
			for _, text := range []string{"failed: the " + string(row.Name) + " gave up", "the " + string(row.Name) + " has failed", ""} {
				l.add(i, text)
			}
		}
		return string(l.learn())
	}
	lessons := learn()
	if lessons != learn() {
		t.Error("the same texts taught something else")
	}
	v, ok := newVocabulary(lessons)
	if !ok {
		t.Fatal("lessons that cannot be read")
	}
	for _, row := range Categories {
		if got, ok := v.judge([]byte("it failed, said the " + string(row.Name))); !ok || got.category != row.Name {
			t.Errorf("%s: got %s, %v", row.Name, got.category, ok)
		}
	}
	if got, ok := v.judge([]byte("nobody wrote of this")); ok {
		t.Errorf("words that were not learned: %s", got.category)
	}
	for _, cut := range []int{0, 5, len(lessons) - 1} {
		if _, ok := newVocabulary(lessons[:cut]); ok {
			t.Errorf("lessons of %d bytes are read", cut)
		}
	}
}

// TestLearnOneMore wants one text more to leave what the words say of other texts as
// it is, but for a few that were of two minds: so a rule's example can be added.
func TestLearnOneMore(t *testing.T) {
	learn := func(more string) *vocabulary {
		l := builtinLearner(Builtin())
		l.add(0, more)
		v, _ := newVocabulary(string(l.learn()))
		return v
	}
	without, with := learn(""), learn("the frobnicator said that it will not: 429 frobs")
	const few = 0.01 // of the texts; in an order that hung on their number it was 0.04
	changed, corpus := 0, readCorpus(t)
	for _, line := range corpus {
		text := fold(nil, line.Message)
		before, _ := without.judge(text)
		after, _ := with.judge(text)
		if before.category != after.category {
			changed++
		}
	}
	if float64(changed) > few*float64(len(corpus)) {
		t.Errorf("one text more changed what is said of %d of %d", changed, len(corpus))
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
