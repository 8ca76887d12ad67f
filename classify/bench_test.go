package classify

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hansei/ingest"
)

// BenchmarkTag measures the time of one event, that of the whole tag: plain form,
// rules, words where the rules leave the matter open, template and fingerprint.
//
//   - first: each message as if no message like it had come before, of the corpus,
//     of a fleet of ten templates, and of the corpus with three times the rules;
//   - numbers: each message of the fleet is a new one, of a template that is known;
//   - again: the very messages come again, as those of retries do;
//   - naive: the same phrases tried one by one as regular expressions.
func BenchmarkTag(b *testing.B) {
	corpus := readCorpus(b)
	events := make([]ingest.Event, len(corpus))
	var size int64
	for i, line := range corpus {
		events[i] = ingest.Event{Code: line.Code, Message: line.Message, Operation: "search"}
		size += int64(len(line.Message))
	}
	run := func(tag func(*ingest.Event) Tag, events []ingest.Event) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				tag(&events[i%len(events)])
			}
		}
	}
	c := builtinClassifier(b)
	tripled, err := New(append(Builtin(), generatedRules(2*len(Builtin()))...))
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d rules, %d phrases, %d bytes a message", len(c.rules), len(c.means), size/int64(len(events)))
	b.Run("first/corpus", run(first(c), events))
	b.Run("first/tripled", run(first(tripled), events))
	b.Run("first/fleet", run(first(c), fleet(1000)))
	b.Run("numbers/fleet", func(b *testing.B) {
		b.ReportAllocs()
		list := fleet(4 * memoSlots) // forgotten before they come again
		messages := make([]string, len(list))
		for i := range list {
			messages[i] = list[i].Message
		}
		e := list[0] // one for all, as an event that was just decoded is near
		for i := 0; b.Loop(); i++ {
			e.Message = messages[i%len(messages)]
			c.Tag(&e)
		}
	})
	b.Run("again/fleet", run(c.Tag, fleet(1000)))
	b.Run("again/corpus", run(c.Tag, events))
	b.Run("naive", func(b *testing.B) {
		rules := naiveRules(b)
		for i := 0; b.Loop(); i++ {
			for _, re := range rules {
				re.MatchString(events[i%len(events)].Message)
			}
		}
	})
}

// first returns the work of c for a message that is like none before.
func first(c *Classifier) func(*ingest.Event) Tag {
	s := newScratch(len(c.rules))
	return func(e *ingest.Event) Tag {
		s.reset(e.Message)
		return c.tag(e, s)
	}
}

// fleet returns n messages of ten templates, all with other numbers.
func fleet(n int) []ingest.Event {
	templates := []string{
		"Request timed out after %d seconds", "connect ECONNREFUSED 10.0.0.%d:443", "HTTP 503 Service Unavailable (request %d)",
		"429 Too Many Requests, retry in %ds", "ENOENT: no such file or directory, open '/data/%d.json'",
		"TypeError: Cannot read properties of undefined (reading '%d')", "VALIDATION_ERROR: field %d is required",
		"ModuleNotFoundError: No module named 'm%d'", "prompt is too long: %d tokens > 200000 maximum", "検索に失敗しました: タイムアウト (%d秒)",
	}
	events := make([]ingest.Event, n)
	for i := range events {
		events[i] = ingest.Event{Operation: "search", Message: fmt.Sprintf(templates[i%len(templates)], i/len(templates))}
	}
	return events
}

// generatedRules returns n rules of the size of the built-in ones, whose words
// no message holds.
func generatedRules(n int) []Rule {
	words := []string{"frobnicate", "gizmo", "quux", "zorble", "widget", "flange", "sprocket", "doohickey", "wibble", "plugh"}
	rules := make([]Rule, n)
	perRule := 0
	for _, r := range builtin() {
		perRule += len(r.Phrases)
	}
	perRule /= len(builtin())
	for i := range rules {
		r := Rule{Name: fmt.Sprintf("generated-%d", i), Category: Categories[i%len(Categories)].Name, Weight: Cause}
		for k := range perRule {
			r.Phrases = append(r.Phrases, fmt.Sprintf("%s %s %d%d failed", words[(i+k)%10], words[(i*7+k*3)%10], i, k))
		}
		rules[i] = r
	}
	return rules
}

// naiveRules returns a regular expression for each rule, of all its phrases.
func naiveRules(b *testing.B) []*regexp.Regexp {
	b.Helper()
	var list []*regexp.Regexp
	for _, r := range Builtin() {
		var alternatives []string
		for _, p := range r.Phrases {
			alternatives = append(alternatives, regexp.QuoteMeta(strings.Trim(p, "=*")))
		}
		re, err := regexp.Compile("(?i)" + strings.Join(alternatives, "|"))
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, re)
	}
	return list
}
