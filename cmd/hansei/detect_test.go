package main

import (
	"strings"
	"testing"

	"hansei/classify"
)

func TestDetect(t *testing.T) {
	classifier, err := newClassifier("")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ screen, errorType, category string }{
		{`API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "rate_limit", "rate_limit"},
		{"\x1b[31m529\x1b[0m \x1b[1mOver\x1b[22mloaded\x1b[0m · Retrying in 34s · attempt 9/10", "rate_limit", "rate_limit"},
		{"\x1b]0;503 title\x07  ⎿  API Error: 500 Internal server error", "server_error", "server_error"},
		{"\x1b]8;;https://x.test/401\x1b\\link\x1b]8;;\x1b\\\n■ exceeded retry limit, last status: 429 Too Many Requests", "rate_limit", "rate_limit"},
		{"Invalid API key · Please run /login", "auth_error", "auth"},
		{"API Error: Request timed out.", "network_error", "timeout"},
		{"TypeError: fetch failed", "network_error", "network"},
		{"✕ [API Error: You exceeded your current quota, please check your plan and billing details]", "rate_limit", "quota"},
		{"5-hour limit reached ∙ resets 3pm", "rate_limit", "quota"},
		{"│ API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authen │\n│ tication_error\",\"message\":\"invalid x-api-key\"}}      │", "auth_error", "auth"},
		{"レート制限に達しました。しばらく待ってください", "rate_limit", "rate_limit"},
		{"connect ECONNREFUSED\n503 Service Unavailable", "server_error", "server_error"},
		{"503 Service Unavailable\n\n> \n? for shortcuts\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", "server_error", "server_error"},
		{"503 Service Unavailable" + strings.Repeat("\nstep done", 20), "", ""},
		{"503 Service Unavailable" + strings.Repeat("\nstep done", 19), "server_error", "server_error"},
		{"up to 50% of your weekly usage limit on Fable 5", "", ""},
		{"Approaching usage limit · resets at 7pm", "", ""},
		{"Processed 503 records in 429 ms\n401\n500 files changed", "", ""},
		{"✓ handles rate limit errors (12 ms)", "", ""},
		{"> how do I handle 429 Too Many Requests errors?", "", ""},
		{"● I'll add retry logic for rate limit errors (429) and 503 responses.", "", ""},
		{"    if (res.status === 429) throw new Error('rate limit exceeded');", "", ""},
		{"| 429 | rate_limit | too many requests |", "", ""},
		{"docs: explain rate limit exceeded error (#429)", "", ""},
		{"npm ERR! network request to https://registry.npmjs.org/x failed, reason: connect ETIMEDOUT", "", ""},
		{"Command timed out after 2m 0s", "", ""},
		{"ENOENT: no such file or directory", "", ""},
		{"", "", ""},
	} {
		found, ok := detect(classifier, screenLines(test.screen, 20))
		if ok != (test.errorType != "") || found.ErrorType != test.errorType || found.Category != classify.Category(test.category) {
			t.Errorf("%q: got %+v, want %s, %s", test.screen, found, test.errorType, test.category)
		}
		if strings.ContainsAny(found.Message, "\x1b\x07") {
			t.Errorf("%q: the message holds control characters: %q", test.screen, found.Message)
		}
	}
}

func TestReadTail(t *testing.T) {
	long := strings.Repeat("a", 300<<10) + "the end"
	for _, n := range []int{0, 7, 1 << 10, 1 << 20} {
		got, err := readTail(strings.NewReader(long), n)
		if want := long[max(0, len(long)-n):]; err != nil || got != want {
			t.Errorf("%d: got %d bytes, %v", n, len(got), err)
		}
	}
}
