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
// numbers and identifiers again and again.
func TestShape(t *testing.T) {
	c := builtinClassifier(t)
	random := rand.New(rand.NewPCG(5, 6))
	remembered := 0
	texts := numberedTexts(t, random)
	for _, text := range append(texts, identifiedTexts(c, texts, random)...) {
		e := ingest.Event{Message: text}
		for i := range 6 {
			if i > 2 { // now as often as not from memory
				e.Message = otherIdentifiers(otherNumbers(text, random), random)
			}
			s := newScratch(len(c.rules))
			s.reset(e.Message)
			_, _, whole := c.memo.message(&e)
			if _, _, ok := c.memo.shape(&e, c.numbers.shape(nil, s.text)); ok && !whole && e.Message != text {
				remembered++
			}
			if got, want := c.Tag(&e), tagAnew(c, &e); got != want {
				t.Fatalf("%q, after %q:\ngot  %+v\nwant %+v", e.Message, text, got, want)
			}
		}
	}
	t.Logf("%d answers from messages with other numbers or identifiers", remembered)
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

// identifiedTexts returns texts, each with an identifier at one of its spaces, and
// identifiers that hold what phrases look for.
func identifiedTexts(c *Classifier, texts []string, random *rand.Rand) (list []string) {
	forms := []string{"req_00af12bc", "0x7ffee4c0", "9f86d081884c7d65", "550e8400-e29b-41d4-a716-446655440000", "chatcmpl-9aB3xYz01234", "toolu_01AbCdEf23456"}
	for _, text := range texts {
		words := strings.SplitAfter(text, " ")
		at := random.IntN(len(words))
		before := []string{"", "(", "id: ", "id=", "'", ".", ","}[random.IntN(7)]
		behind := []string{" ", ") ", ": ", ".5 ", ".log ", ", "}[random.IntN(6)]
		words[at] += before + forms[random.IntN(len(forms))] + behind
		list = append(list, strings.Join(words, ""))
	}
	for _, tellers := range c.numbers.tellers.by {
		for _, w := range tellers {
			id := "0af1" + string(w.literal) + "34cd56ef"
			list = append(list, "failed: "+id, "failed: "+id[4:], "failed: "+id[:len(id)-8]+" timed out", "x9ab12cd34ef "+string(w.literal))
		}
	}
	return list
}

// otherIdentifiers returns text with other letters and digits in its identifiers,
// some of them with a word that rules look for.
func otherIdentifiers(text string, random *rand.Rand) string {
	known := []string{"fail", "no", "5xx", "0x1f", "429", "timeout", "sha256", "3h5m", "api_key"}
	b := []byte(text)
	for at := 0; at < len(b); {
		from, to, id := nextIdentifier(b, at)
		letters := "0123456789abcdef"
		if id == isID {
			letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
		}
		for i := from; i < to; i++ {
			if word[b[i]] {
				b[i] = letters[random.IntN(len(letters))]
			}
		}
		if w := known[random.IntN(len(known))]; len(w) < to-from {
			copy(b[from+random.IntN(2)*(to-from-len(w)):], w)
		}
		at = to
	}
	return string(b)
}

// TestShapeOfIdentifiers wants usual identifiers to be of no account.
func TestShapeOfIdentifiers(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range [][2]string{
		{"Overloaded (request id req_00af12bc)", "Overloaded (request id req_1b2c3d4e)"},
		{"request_id: req_011CYabcdEFGHijkl12x", "request_id: req_011CZ12cdEFGHijkmNx9"},
		{"span 9f86d081884c7d65 lost", "span 1a2b3c4d5e6f7081 lost"},
		{"at 0x7ffee4c0", "at 0x12ab34cd"},
		{"id 550e8400-e29b-41d4-a716-446655440000", "id 123e4567-e89b-42d3-a456-426614174000"},
		{"run 00173 stopped", "run 00985 stopped"},
	} {
		var shapes [2]string
		for i, text := range test {
			shapes[i] = string(c.numbers.shape(nil, []byte(text)))
		}
		if shapes[0] != shapes[1] {
			t.Errorf("%q:\ngot  %q\nwant %q, that of %q", test[1], shapes[1], shapes[0], test[0])
		}
	}
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
		{Name: "hex-start", Category: Font, Weight: Decisive, Phrases: []string{"beef*"}},
		{Name: "hex-end", Category: Plot, Weight: Decisive, Phrases: []string{"*f00d"}},
		{Name: "hex-within", Category: Auth, Weight: Decisive, Phrases: []string{"*c0ffee*"}},
		{Name: "hex-whole", Category: Quota, Weight: Decisive, Phrases: []string{"deadbee1"}},
		{Name: "hex-number", Category: Crash, Weight: Decisive, Phrases: []string{"leak #*"}},
		{Name: "hex-count", Category: Timeout, Weight: Decisive, Phrases: []string{"*# drops"}},
		{Name: "hex-gap", Category: Network, Weight: Decisive, Phrases: []string{"gasket'*'cafe"}},
		{Name: "hex-pattern", Category: Validation, Weight: Decisive, Phrases: []string{"nozzle"}, Pattern: `nozzle [a-c]`},
	}
	hexes := []string{"beefbeef", "beef12ab", "12abf00d", "1c0ffee1", "deadbee1", "7a1b2c3d", "abcdef12", "12345cab", "1234567b", "c1d2e3f4", "1234cafe", "0a1b2c3d", "c1d2e3fa"}
	sets := [][]Rule{rules, append(Builtin(), rules...)}
	for i := range rules {
		sets = append(sets, rules[i:i+1])
	}
	for _, rules := range sets {
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
		for _, format := range []string{"x %s", "leak %s", "%s drops", "gasket'%s", "gasket'%s'cafe", "nozzle %s", "nozzle 12 %s", "x.%s.5 drops"} {
			for range 3 {
				for _, hex := range hexes {
					e := ingest.Event{Message: fmt.Sprintf(format, hex)}
					if got, want := c.Tag(&e), tagAnew(c, &e); got != want {
						t.Errorf("%q: got %+v, want %+v", e.Message, got, want)
					}
				}
			}
		}
	}
}

// TestShapeOfParts wants a number of which a phrase holds the start told from others
// beside the rest of the phrase, and nowhere else.
func TestShapeOfParts(t *testing.T) {
	c := builtinClassifier(t)
	shape := func(text string) string { return string(c.numbers.shape(nil, fold(nil, text))) }
	for _, test := range []struct {
		one, other string
		alike      bool
	}{
		{"Request timed out after 4711 seconds", "Request timed out after 7311 seconds", true},
		{"5120 items left", "7120 items left", true},
		{"The request returned error: 5120", "The request returned error: 7120", false},
	} {
		if alike := shape(test.one) == shape(test.other); alike != test.alike {
			t.Errorf("%q and %q: one shape %v", test.one, test.other, alike)
		}
	}
}
