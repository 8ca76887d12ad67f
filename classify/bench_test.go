package classify

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hansei/ingest"
)

// BenchmarkTag measures the time of one event: on the corpus, whose messages
// come again and again as those of retries do; on messages as if each came for
// the first time, of the corpus, of a fleet of a few templates, and of the
// corpus with three times as many rules; and, for the ratio, with the same
// phrases tried one by one as regular expressions. The time is that of the whole
// tag: plain form, rules, words where the rules leave the matter open, template
// and fingerprint.
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
	c.words() // learned once in the life of a process
	tripled.words()
	b.Logf("%d rules, %d phrases, %d bytes a message", len(c.rules), len(c.means), size/int64(len(events)))
	b.Run("corpus", run(c.Tag, events))
	b.Run("fleet", run(c.Tag, fleet()))
	b.Run("first/corpus", run(c.tag, events))
	b.Run("first/fleet", run(c.tag, fleet()))
	b.Run("first/tripled", run(tripled.tag, events))
	b.Run("naive", func(b *testing.B) {
		rules := naiveRules(b)
		for i := 0; b.Loop(); i++ {
			for _, re := range rules {
				re.MatchString(events[i%len(events)].Message)
			}
		}
	})
}

// fleet returns the messages of ten templates, with changing numbers.
func fleet() []ingest.Event {
	templates := []string{
		"Request timed out after %d seconds", "connect ECONNREFUSED 10.0.0.%d:443", "HTTP 503 Service Unavailable (request %d)",
		"429 Too Many Requests, retry in %ds", "ENOENT: no such file or directory, open '/data/%d.json'",
		"TypeError: Cannot read properties of undefined (reading '%d')", "VALIDATION_ERROR: field %d is required",
		"ModuleNotFoundError: No module named 'm%d'", "prompt is too long: %d tokens > 200000 maximum", "検索に失敗しました: タイムアウト (%d秒)",
	}
	events := make([]ingest.Event, 1000)
	for i := range events {
		events[i] = ingest.Event{Operation: "search", Message: fmt.Sprintf(templates[i%len(templates)], i)}
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
