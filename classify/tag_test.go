package classify

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hansei/ingest"
)

// TestEvidence holds the order of evidence.
func TestEvidence(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		code, message string
		want          Category
	}{
		{"API_FAILURE", "", Network},
		{"API_FAILURE", "search API call failed", Network},
		{"API_FAILURE", "HTTP 503 Service Unavailable", ServerError},
		{"API_FAILURE", "insufficient_quota: check your plan and billing", Quota},
		{"FILE_NOT_FOUND", "", MissingFile},
		{"VALIDATION_ERROR", "", Validation},
		{"TIMEOUT", "", Timeout},
		{"TIMEOUT", "connect ECONNREFUSED 10.0.0.1:443", Network},
		{"UNKNOWN", "", Unknown},
		{"UNKNOWN", "ENOSPC: no space left on device", Resource},
		{"REVIEW_FAILURE_MAX_RETRIES", "", QualityGate},
		{"REPLAN_TIMEOUT", "", Timeout},
		{"429", "", RateLimit},
		{"429", "You exceeded your current quota, please check your plan and billing details.", Quota},
		{"429", "exceeded your current quota, quotaId GenerateRequestsPerMinutePerProject, retry in 32s", RateLimit},
		{"500", "context length exceeded", ContextLength},
		{"500", "", ServerError},
		{"400", "", Validation},
		{"400", "prompt is too long: 210000 tokens > 200000 maximum", ContextLength},
		{"401", "", Auth}, {"402", "", Quota}, {"403", "", Auth}, {"404", "", MissingDependency}, {"408", "", Timeout},
		{"499", "", Cancelled}, {"529", "", RateLimit}, {"503", "model overloaded", RateLimit},
		{"ETIMEDOUT", "", Network}, {"EACCES", "", Permission}, {"ENOENT", "", MissingFile}, {"EISDIR", "", FileIO}, {"ENOMEM", "", Resource},
		{"DEADLINE_EXCEEDED", "", Timeout}, {"UNAVAILABLE", "", ServerError}, {"INTERNAL", "", ServerError},
		{"RESOURCE_EXHAUSTED", "", RateLimit}, {"UNAUTHENTICATED", "", Auth}, {"INVALID_ARGUMENT", "", Validation},
		{"overloaded", "", RateLimit}, {"billing_error", "", Quota}, {"max_output_tokens", "", MalformedOutput}, {"model_not_found", "", MissingDependency},
		{"usageLimitExceeded", "", Quota}, {"contextWindowExceeded", "", ContextLength}, {"sandboxError", "", Permission},
		{"serverOverloaded", "", RateLimit}, {"responseStreamDisconnected", "", Network},
		{"edit_no_occurrence_found", "", Validation}, {"file_too_large", "", FileIO}, {"invalid_tool_params", "", Validation},
		{"MALFORMED_FUNCTION_CALL", "", MalformedOutput}, {"SAFETY", "", ContentFilter}, {"RECITATION", "", ContentFilter},
		{"content_filter", "", ContentFilter}, {"STOP", "", Unknown}, {"137", "", Resource}, {"139", "", Crash},
		{"java.net.SocketTimeoutException", "", Timeout},
		{"", "Timeout while calling: connect ECONNREFUSED 10.0.0.1:443", Network},
		{"", "Error: 429 Too Many Requests: insufficient_quota", Quota},
	} {
		e := ingest.Event{Code: test.code, Message: test.message}
		if tag := c.Tag(&e); tag.Category != test.want {
			t.Errorf("code %q, message %q: %s by %q, want %s", test.code, test.message, tag.Category, tag.Rule, test.want)
		}
	}
}

// TestCodes holds the category of each code of testdata/codes.txt, in the field
// for codes and as an attribute of OpenTelemetry.
func TestCodes(t *testing.T) {
	text, err := os.ReadFile("testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := builtinClassifier(t)
	for line := range strings.Lines(string(text)) {
		code, want, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || code == "#" {
			continue
		}
		for _, e := range []ingest.Event{{Code: code}, {Attrs: map[string]string{"error.type": code}}} {
			if tag := c.Tag(&e); tag.Category != Category(want) {
				t.Errorf("%s: %s by %q, want %s", code, tag.Category, tag.Rule, want)
			}
		}
	}
}

func TestAttributes(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		name, value string
		want        Category
	}{
		{"http_status", "503", ServerError}, {"exit_code", "137", Resource}, {"exit_code", "1", CodeError}, {"exit_code", "0", Unknown},
		{"error.type", "openai.RateLimitError", RateLimit}, {"finish_reason", "SAFETY", ContentFilter}, {"signal", "SIGSEGV", Crash},
		{"finish_reason", "STOP", Unknown}, {"errno", "ECONNRESET", Network},
	} {
		e := ingest.Event{Message: "step 3 failed", Attrs: map[string]string{test.name: test.value}}
		if tag := c.Tag(&e); tag.Category != test.want {
			t.Errorf("%s=%s: %s by %q, want %s", test.name, test.value, tag.Category, tag.Rule, test.want)
		}
	}
}

func TestKinds(t *testing.T) {
	c := builtinClassifier(t)
	for _, test := range []struct {
		event ingest.Event
		want  Category
	}{
		{ingest.Event{Kind: ingest.Failure}, Unknown},
		{ingest.Event{}, Unknown},
		{ingest.Event{Kind: ingest.Success}, ""},
		{ingest.Event{Kind: ingest.Success, Message: "done in 3 s"}, ""},
		{ingest.Event{Kind: ingest.End}, ""},
		{ingest.Event{Kind: ingest.End, Message: "gave up: HTTP 503"}, ServerError},
	} {
		tag := c.Tag(&test.event)
		if tag.Category != test.want {
			t.Errorf("%+v: %q, want %q", test.event, tag.Category, test.want)
		}
		if test.want != "" && (tag.Taxonomy != test.want.Row().Taxonomy || tag.Retryable != test.want.Row().Retryable) {
			t.Errorf("%+v: %+v is not its category's row", test.event, tag)
		}
	}
}

// TestDetail wants the longer output to be read when the message is a headline.
func TestDetail(t *testing.T) {
	c := builtinClassifier(t)
	e := ingest.Event{Message: "Command failed with exit code 1", Detail: "...\nModuleNotFoundError: No module named 'yaml'\n"}
	if got := c.Tag(&e).Category; got != MissingDependency {
		t.Errorf("headline: %s", got)
	}
	e = ingest.Event{Message: "connect ECONNREFUSED 10.0.0.1:80", Detail: "retry 3: request took 5 s, timed out"}
	if got := c.Tag(&e).Category; got != Network {
		t.Errorf("message with a cause: %s", got)
	}
}

func TestExplain(t *testing.T) {
	c := builtinClassifier(t)
	list := c.Explain(&ingest.Event{Code: "429", Message: "insufficient_quota: check your plan and billing details"})
	if len(list) < 2 || !list[0].Won || list[0].Category != Quota || list[0].Evidence == "" || list[0].Why == "" {
		t.Errorf("winner: %+v", list)
	}
	for _, x := range list[1:] {
		if x.Won || x.Because.EN == "" || x.Because.JA == "" {
			t.Errorf("another one: %+v", x)
		}
	}
	seen := map[string]bool{}
	for _, x := range c.Explain(&ingest.Event{Message: "rate limit exceeded, rate limit is 5; connection reset, connection refused"}) {
		if seen[x.Rule] {
			t.Errorf("rule %s is listed twice", x.Rule)
		}
		seen[x.Rule] = true
	}
	if list := c.Explain(&ingest.Event{Message: `529 {"type":"overloaded_error"}`}); len(list) == 0 || list[0].Evidence != "overloaded_error" {
		t.Errorf("not the evidence that decided: %+v", list)
	}
	quieted := c.Explain(&ingest.Event{Message: "test_e.py::test_permission denied PASSED [50%]"})
	if len(quieted) == 0 || !strings.Contains(quieted[0].Because.EN, "(passed-test)") || !strings.Contains(quieted[0].Because.JA, "passed-test") {
		t.Errorf("not told by which rule the line is quiet: %+v", quieted)
	}
	if list := c.Explain(&ingest.Event{Message: "nothing to see"}); len(list) != 0 {
		t.Errorf("nothing: %+v", list)
	}
}

// badInputs are texts that a careless matcher fails on.
func badInputs() []string {
	return []string{
		"", " \n\t ", strings.Repeat("a", 64<<10), strings.Repeat("timeout", 9000), strings.Repeat("error ", 10000),
		strings.Repeat("model * not found ", 3000), strings.Repeat("((((((", 9000), strings.Repeat("\\", 64<<10), strings.Repeat("1", 64<<10),
		strings.Repeat("'", 9999), strings.Repeat("\x1b[31m", 9999), "\x1b[31m\x1b]0;title\x07\x1b[0m", "\x1b", "\x1b[", "\xff\xfe\xfd", strings.Repeat("\xe3\x82", 9999),
		"\u202e\u200bdeined noissimrep\u202c", "per\u200bmission de\u00adnied", strings.Repeat("PASSED\n", 9000), "\\u", "\\u12", "\\x1b[", "\u2028\u2029\u0085",
	}
}

// TestBadInput wants an answer for each, within a time that only a matcher that
// is worse than linear needs.
func TestBadInput(t *testing.T) {
	const limit = time.Second // a linear one takes a few milliseconds
	c := builtinClassifier(t)
	c.Tag(&ingest.Event{Message: "hostname lookup failure"}) // which learns the words, once
	for _, text := range badInputs() {
		start := time.Now()
		tag := c.Tag(&ingest.Event{Message: text, Detail: text})
		if took := time.Since(start); took > limit {
			t.Errorf("%.40q took %v", text, took)
		}
		if tag.Category == "" {
			t.Errorf("%.40q: no category", text)
		}
	}
	for text, want := range map[string]Category{
		"per\u200bmission de\u00adnied": Permission, "\x1b[1mpermission\x1b[0m \x1b[31mdenied\x1b[0m": Permission,
		"│ ｐｅｒｍｉｓｓｉｏｎ │ ｄｅｎｉｅｄ │": Permission, "permission\n   denied": Permission,
		`{"message":"\u8bf7\u6c42\u8fc7\u4e8e\u9891\u7e41"}`: RateLimit, `x\nno such file or directory`: MissingFile,
	} {
		if got := c.Tag(&ingest.Event{Message: text}).Category; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	c := builtinClassifier(t)
	corpus := readCorpus(t)
	want := make([]Tag, len(corpus))
	for i := range corpus {
		want[i] = c.Tag(&ingest.Event{Message: corpus[i].Message})
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range corpus {
				if got := c.Tag(&ingest.Event{Message: corpus[i].Message}); got != want[i] {
					t.Errorf("%s: %+v, before %+v", corpus[i].ID, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func FuzzTag(f *testing.F) {
	for _, text := range badInputs() {
		f.Add("", text)
	}
	for _, line := range readCorpus(f) {
		f.Add(line.Code, line.Message)
	}
	c := builtinClassifier(f)
	f.Fuzz(func(t *testing.T, code, message string) {
		e := ingest.Event{Code: code, Message: message}
		first := c.Tag(&e)
		if again := c.Tag(&e); again != first {
			t.Errorf("two answers: %+v, %+v", first, again)
		}
		if anew := tagAnew(c, &e); anew != first {
			t.Errorf("%+v, found anew %+v", first, anew)
		}
		if list := c.Explain(&e); first.Rule != "" && (len(list) == 0 || list[0].Rule != first.Rule) {
			t.Errorf("explained by another rule than %q: %+v", first.Rule, list)
		}
	})
}

// TestLineUnless wants a rule that quiets a line to heed its own "unless".
func TestLineUnless(t *testing.T) {
	c, err := New([]Rule{
		{Name: "refused", Category: Network, Weight: Cause, Phrases: []string{"connection refused"}},
		{Name: "passed", Category: Unknown, Weight: Decisive, Line: true, Phrases: []string{"passed"}, Unless: []string{"xfail"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]Category{
		"passed: connection refused":        Unknown,
		"xfail passed: connection refused":  Network,
		"passed\nerror: connection refused": Network,
	} {
		if got := c.Tag(&ingest.Event{Message: message}).Category; got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// TestErrorFields wants the category of records that tell of an error in a field
// of their own, which looks much like an entry of a catalogue of texts.
func TestErrorFields(t *testing.T) {
	c := builtinClassifier(t)
	for message, want := range map[string]Category{
		"{\n  \"error_message\": \"connection refused by the server\",\n  \"attempt\": 2\n}": Network,
		"    \"error_type\": \"RateLimitError\",":                                            RateLimit,
		"  \"error_description\": \"The access token is expired\",":                          Auth,
		"error_message: 'Request timed out.'":                                                Timeout,
		"  \"tool_error\": \"authentication failed for the server\",":                        Auth,
		"  \"lastError\": \"connection refused by the server\",":                             Network,
		"  \"loginError\": \"The connection was refused\",":                                  Unknown,
		"error_timeout: \"The request timed out.\"":                                          Unknown,
		"Error: the llama runner process is no longer running":                               Crash,
	} {
		if got := c.Tag(&ingest.Event{Message: message}).Category; got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// TestHealthy wants no category of the lines of testdata/healthy.txt: settings, meters,
// commands, commits, searches and information, with the words of failures in them.
func TestHealthy(t *testing.T) {
	file, err := os.ReadFile("testdata/healthy.txt")
	if err != nil {
		t.Fatal(err)
	}
	c, read := builtinClassifier(t), 0
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(line, "# Lines") {
			continue
		}
		read++
		if tag := c.Tag(&ingest.Event{Message: line}); tag.Category != Unknown {
			t.Errorf("%q: %s by rule %q", line, tag.Category, tag.Rule)
		}
	}
	if read == 0 {
		t.Error("no lines")
	}
}
