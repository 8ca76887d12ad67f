package classify

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hansei/ingest"
)

// TestShape wants a message whose shape was seen before to get the tag that is
// found anew: real messages and the words that rules know, each with other
// numbers again and again.
func TestShape(t *testing.T) {
	c := builtinClassifier(t)
	c.words() // so that there are shapes by which words decided
	random := rand.New(rand.NewPCG(5, 6))
	remembered := 0
	for _, text := range numberedTexts(t, random) {
		e := ingest.Event{Message: text}
		for i := range 6 {
			if i > 2 { // now as often as not from memory
				e.Message = otherNumbers(text, random)
			}
			s := newScratch(len(c.rules))
			s.reset(e.Message)
			_, _, whole := c.memo.message(&e)
			if _, _, ok := c.memo.shape(&e, c.numbers.shape(nil, s.text, c.learned.Load())); ok && !whole && e.Message != text {
				remembered++
			}
			if got, want := c.Tag(&e), tagAnew(c, &e); got != want {
				t.Fatalf("%q, after %q:\ngot  %+v\nwant %+v", e.Message, text, got, want)
			}
		}
	}
	t.Logf("%d answers from messages with other numbers", remembered)
	if remembered == 0 {
		t.Error("no message was known by its shape")
	}
}

// numberedTexts returns the corpus, the examples and phrases of rules with
// numbers, and numbers behind all that says what they are.
func numberedTexts(t *testing.T, random *rand.Rand) []string {
	var texts []string
	for _, line := range readCorpus(t) {
		texts = append(texts, line.Message)
	}
	for _, r := range Builtin() {
		texts = append(texts, r.Examples...)
		texts = append(texts, r.Counterexamples...)
		for _, phrase := range r.Phrases {
			if strings.ContainsAny(phrase, "#0123456789") {
				texts = append(texts, strings.NewReplacer("=", "", "*", "x", "##", "12", "#", "34").Replace(phrase))
			}
		}
	}
	for _, context := range contexts {
		for _, word := range context.words {
			between := []string{" ", ": ", "=", " (", "\n"}[random.IntN(5)]
			behind := []string{"", " rows", ")", ".5", " of 9", ", retry in 5s", "\x1b[31m7"}[random.IntN(7)]
			texts = append(texts, fmt.Sprintf("%s%s%d%s", word, between, random.IntN(1500), behind),
				fmt.Sprintf("%d %s 1%s", random.IntN(1000), word, behind))
		}
	}
	return texts
}

// otherNumbers returns text with other digits, or with numbers that mean something.
func otherNumbers(text string, random *rand.Rand) string {
	known := []string{"429", "404", "500", "503", "137", "139", "0", "000", "1", "2", "22", "5", "400", "0137", "1006", "10054", "127"}
	b := []byte(text)
	for at := 0; at < len(b); at++ {
		to, _ := numberEnd(b, at)
		if to == at {
			continue
		}
		for i := at; i < to; i++ {
			b[i] = '0' + byte(random.IntN(10))
		}
		if n := known[random.IntN(len(known))]; len(n) == to-at {
			copy(b[at:], n)
		}
		at = to
	}
	return string(b)
}

// TestShapeOfRules wants what a user's rule tells by a number to be told, be it in
// a phrase with an open end, in a pattern, among the words of only, or as a count.
func TestShapeOfRules(t *testing.T) {
	rules := []Rule{
		{Name: "open-right", Category: Font, Weight: Decisive, Phrases: []string{"turbine 7*"}},
		{Name: "open-left", Category: Plot, Weight: Decisive, Phrases: []string{"*9 turbines"}},
		{Name: "open", Category: Auth, Weight: Decisive, Phrases: []string{"*4242*"}},
		{Name: "pattern", Category: Quota, Weight: Decisive, Phrases: []string{"boiler"}, Pattern: `boiler [1-4]\d`},
		{Name: "only", Category: Crash, Weight: Decisive, Phrases: []string{"pump"}, Only: []string{"pump", "77"}},
		{Name: "count", Category: Crash, Weight: Decisive, Phrases: []string{"## leaks"}},
		{Name: "exit", Category: Resource, Weight: Decisive, Codes: []string{"exit:42"}},
	}
	for _, rules := range [][]Rule{rules, append(Builtin(), rules...)} {
		c, err := New(rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"turbine %02d stops", "%02d turbines stop", "boiler %02d", "pump %02d", "valve 42%02d", "x142%02d9", "%02d leaks",
			"exit code %02d", "%02dx12ab in %02d"} {
			for range 3 {
				for n := range 100 {
					e := ingest.Event{Message: strings.ReplaceAll(format, "%02d", fmt.Sprintf("%02d", n))}
					if got, want := c.Tag(&e), tagAnew(c, &e); got != want {
						t.Errorf("%q: got %+v, want %+v", e.Message, got, want)
					}
				}
			}
		}
	}
}
