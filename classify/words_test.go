package classify

import (
	"slices"
	"strings"
	"testing"

	"hansei/ingest"
)

// TestWords holds what the words of a text may decide, and what not.
func TestWords(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		message string
		want    Category
	}{
		{"hostname lookup failure", Network},
		{"Failed decoding of that text as UTF-8", FileIO},
		{"本日ぶんの無料枠を全部使い切りました", Quota},
		{"Connected to the server\nhostname lookup failure", Network},
		{"Connected to the server\n3 total", Unknown},
		{"asyncio.exceptions.TimeoutError\n\nPlease check the logs for more details or contact support.", Timeout},
		{"", Unknown},
		{"hello there", Unknown},
		{"Something happened", Unknown},
		{"Agent error: unknown error from the stream", Unknown},
	} {
		if tag := c.Tag(&ingest.Event{Message: test.message}); tag.Category != test.want {
			t.Errorf("%q: %s by %q, want %s", test.message, tag.Category, tag.Rule, test.want)
		}
	}
}

// TestNamesOfWords wants a class of errors to be read as the words of its name.
func TestNamesOfWords(t *testing.T) {
	read := func(text string) (hashes []uint64) {
		eachWord([]byte(text), func(h uint64) { hashes = append(hashes, h) })
		return hashes
	}
	if got, want := read("RateLimitError isn't"), read("rate limit error isn't"); !slices.Equal(got, want) {
		t.Errorf("RateLimitError isn't: %x, want %x", got, want)
	}
	if got := len(read("rate limit error isn't")); got != 7 {
		t.Errorf("%d words and pairs of four words, want 7", got)
	}
}

// TestNumberInName wants a number in a name to say nothing, as it does in the
// fingerprint: 404 is a status, and E-404 one of many faults of a kind.
func TestNumberInName(t *testing.T) {
	c := builtinClassifier(t)
	want := c.Tag(&ingest.Event{Message: "weird custom fail E-44 blah"})
	for _, number := range []string{"112", "139", "404", "429", "503"} {
		if tag := c.Tag(&ingest.Event{Message: "weird custom fail E-" + number + " blah"}); tag != want {
			t.Errorf("%s: %v, want %v", number, tag, want)
		}
	}
}

// TestSamples wants nearly all samples to get their category, so that neither
// a sample in a wrong file nor a rule that grew too wide goes unseen.
func TestSamples(t *testing.T) {
	const wanted = 0.97 // the rest is decided otherwise by a rule, on purpose
	c := builtinClassifier(t)
	var all int
	var wrong []string
	for _, row := range Categories {
		text, err := samplesFS.ReadFile("samples/" + string(row.Name) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			all++
			if tag := c.Tag(&ingest.Event{Message: line}); tag.Category != row.Name {
				wrong = append(wrong, string(row.Name)+", not "+string(tag.Category)+": "+strings.TrimSpace(line))
			}
		}
	}
	t.Logf("%d of %d", all-len(wrong), all)
	if float64(len(wrong)) > (1-wanted)*float64(all) {
		t.Errorf("%d samples get another category:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
}

// What words agree with keeps the name of its rule.
func TestWordsDoNotTakeWhatIsSaid(t *testing.T) {
	c := builtinClassifier(t)
	for _, message := range []string{"■ exceeded retry limit, last status: 429 Too Many Requests", "レート制限に達しました。しばらく待ってください"} {
		if tag := c.Tag(&ingest.Event{Message: message}); tag.Category != RateLimit || tag.Rule != "rate-limit" {
			t.Errorf("%s: %s by %s", message, tag.Category, tag.Rule)
		}
	}
}

// All other words of a text overrule a phrase of weight [Cause] that says otherwise;
// a code whose words say nothing does not hide what the message says.
func TestWordsOverrule(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		code, message string
		want          Category
	}{
		{"", `{"result":"","tool_calls":[]} with ` + "`finish_reason: \"length\"`", MalformedOutput},
		{"http_error", `{"error":{"code":"http_error","message":"Internal server error during generate_content"}}`, ServerError},
	} {
		if tag := c.Tag(&ingest.Event{Code: test.code, Message: test.message}); tag.Category != test.want {
			t.Errorf("%s: %s by %s, want %s", test.message, tag.Category, tag.Rule, test.want)
		}
	}
}
