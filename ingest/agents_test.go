package ingest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// outline reads text as a format and writes of each event what joins it:
// kind, attempt, incident, and how it ended.
func outline(t *testing.T, format *Format, text string) string {
	t.Helper()
	var b strings.Builder
	names := map[string]string{} // of incidents, in the order in which they come
	for r, err := range format.Read(strings.NewReader(text), Options{Name: "f", Now: arrived}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case r.Err != nil:
			fmt.Fprintf(&b, "bad %s\n", r.Position)
			continue
		}
		e := &r.Event
		key := e.Incident
		if key == "" {
			key = e.ID
		}
		if names[key] == "" {
			names[key] = string(rune('A' + len(names)))
		}
		fmt.Fprintf(&b, "%s %s", names[key], e.Kind)
		if e.Attempt.Known {
			fmt.Fprintf(&b, " %d", e.Attempt.V)
		}
		if e.Resolution != "" {
			b.WriteString(" " + e.Resolution)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The same failure from the hook and the log is one incident, whichever comes first.
func TestClaudeHookAndLog(t *testing.T) {
	log := func(second int, name, attrs string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-15T09:00:%02dZ","attributes":{"event.name":"%s","session.id":"s","prompt.id":"p","query_source":"main",%s}}`+"\n", second, name, attrs)
	}
	hook := `{"hook_event_name":"StopFailure","session_id":"s","prompt_id":"p","error":"overloaded","timestamp":"2026-01-15T09:00:12Z"}` + "\n"
	first := log(10, "api_error", `"attempt":1,"error":"Overloaded"`)
	second := log(12, "api_error", `"attempt":2,"error":"Overloaded"`)
	exhausted := `{"timestamp":"2026-01-15T09:00:12Z","attributes":{"event.name":"api_retries_exhausted","session.id":"s","prompt.id":"p","total_attempts":2,"error":"Overloaded"}}` + "\n"
	for _, test := range []struct{ name, in, want string }{
		{"log, then hook", first + second + exhausted + hook, "A failure 1\nA failure 2\nA end abandoned\n"},
		{"hook, then log", hook + first + second + exhausted, "A failure abandoned\nA failure 1\nA failure 2\n"},
		{"exhausted before the last", first + exhausted + second, "A failure 1\nA end abandoned\nA failure 2\n"},
		{"exhausted alone", exhausted, "A failure 2 abandoned\n"},
		{"the next prompt is another", first + strings.ReplaceAll(second, `"p"`, `"q"`), "A failure 1\nB failure 2\n"},
		{"two requests of a prompt", first + log(11, "api_request", `"model":"m"`) + log(20, "api_error", `"attempt":1`) + log(21, "api_request", `"model":"m"`), "A failure 1\nA success 2\nB failure 1\nB success 2\n"},
		{"sent twice", first + first + log(11, "api_request", `"model":"m"`), "A failure 1\nA success 2\n"},
	} {
		if got := outline(t, &claudeCode, test.in); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}

// The model of a failure is that which called the tool, or answered last.
func TestClaudeSessionModels(t *testing.T) {
	lines := 0
	line := func(kind, more string) string {
		lines++
		return fmt.Sprintf(`{"type":%q,"sessionId":"s","uuid":"u%d","timestamp":"2026-01-15T09:00:00Z",%s}`+"\n", kind, lines, more)
	}
	overloaded := func() string {
		return line("system", `"subtype":"api_error","error":{"status":529,"message":"Overloaded"}`)
	}
	answer := line("assistant", `"message":{"model":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}`)
	fake := line("assistant", `"message":{"model":"<synthetic>","content":[]}`)
	in := overloaded() + answer +
		line("user", `"message":{"content":"<command-name>/model</command-name>"}`) +
		line("user", `"message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 2"}]}`) +
		overloaded() + answer + fake + overloaded() + overloaded() +
		line("assistant", `"isApiErrorMessage":true,"message":{"model":"<synthetic>","content":"API Error: 529"}`) +
		line("system", `"subtype":"init","model":"m2"`) + overloaded()
	want := []string{"", "m1", "m1", "", "m1", "m1", "m1", "m1", "m2"}
	var got []string
	for r := range claudeCode.Read(strings.NewReader(in), Options{Name: "f", Now: arrived}) {
		got = append(got, r.Event.Model)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A tool call has one id in the hook, the log and the session file.
func TestClaudeToolIDs(t *testing.T) {
	ids := map[string]bool{}
	for _, line := range []string{
		`{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_use_id":"toolu_1","error":"x"}`,
		`{"timestamp":"2026-01-15T09:00:00Z","attributes":{"event.name":"claude_code.tool_result","session.id":"s","tool_name":"Bash","tool_use_id":"toolu_1","success":"false"}}`,
		`{"type":"user","sessionId":"s","timestamp":"2026-01-15T09:00:00Z","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":"x"}]}}`,
	} {
		for r := range claudeCode.Read(strings.NewReader(line), Options{Name: "f", Now: arrived}) {
			ids[r.Event.ID] = true
		}
	}
	if len(ids) != 1 || !ids["claude-code/tool/toolu_1"] {
		t.Errorf("got %v", ids)
	}
}

// What is still being written is read when its end is there.
func TestGrowingFile(t *testing.T) {
	read := func(text string, growing bool) string {
		return show(claudeCode.Read(strings.NewReader(text), Options{Name: "f", Now: arrived, Growing: growing}))
	}
	whole := `{"type":"user"}` + "\n"
	half := `{"type":"assistant","message":{"content":"half`
	if got := read(whole+half, true); got != "" {
		t.Errorf("half a line: got %q, want nothing yet", got)
	}
	if got := read(whole+half, false); !strings.HasPrefix(got, "f:2 BAD not JSON: it ends too early") {
		t.Errorf("half a line of a file that has ended: got %q", got)
	}
	if got := read(half+"\n"+whole, true); !strings.HasPrefix(got, "f:1 BAD") {
		t.Errorf("half a line with lines behind it: got %q", got)
	}
	if got := read(half+"\n", true); !strings.HasPrefix(got, "f:1 BAD") {
		t.Errorf("a broken line at the end that has its end: got %q", got)
	}
	if got := read("{\n  \"type\": \"user\",\n", true); got != "" {
		t.Errorf("half a value over lines: got %q, want nothing yet", got)
	}
}

// A broken value over many lines ends where the next begins.
func TestValues(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"pretty", "{\n  \"a\": [\n    1\n  ]\n}\n{\"b\":2}\n", "1 ok, 6 ok, "},
		{"pretty list", "[\n  {\"a\": 1},\n  7\n]\n", "1[0] ok, 1[1] ok, "},
		{"broken between", "{\"a\":1}\n{\"b\":\n{\"c\":3}\r\n", "1 ok, 2 bad, 3 ok, "},
		{"broken pretty", "{\n  \"a\": oops\n}\n{\"c\":3}\n", "1 bad, 4 ok, "},
		{"byte order mark", "\ufeff{\"a\":1}", "1 ok, "},
		{"nothing", "\n \n", ""},
	} {
		got := ""
		for v, err := range values(strings.NewReader(test.in), Options{Name: "f"}) {
			state := "ok"
			if err != nil || v.err != nil {
				state = "bad"
			}
			got += fmt.Sprintf("%d%s %s, ", v.line, v.index, state)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Records are remembered in bounded memory.
func TestChainsAreBounded(t *testing.T) {
	var c chains
	for i := range 3 * maxChains {
		e := Event{ID: fmt.Sprint(i), Time: arrived.Add(time.Duration(i) * time.Second), Agent: "a"}
		c.fail(link{key: e.ID}, &e)
	}
	if len(c.open) > maxChains {
		t.Errorf("%d chains are remembered, want at most %d", len(c.open), maxChains)
	}
}

// The tolerance that was asked for: numbers in any form give the same event.
func TestNumbersInAnyForm(t *testing.T) {
	text, err := os.ReadFile("testdata/claude-code_otlp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if got := outline(t, &claudeCode, strings.SplitAfter(string(text), "\n")[0]); got != "A failure 1\nA failure 2\nA failure 3\nA success 4\n" {
		t.Errorf("got\n%s", got)
	}
}

// Spans of one name below one span are attempts; a span that fails because of
// one within it is no second failure.
func TestOTelSpans(t *testing.T) {
	text, err := os.ReadFile("testdata/otel.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for i, want := range []string{
		"A failure 1\nA failure 2\nA success 3\n",
		"A failure 1\nA end\n",
		"A failure 1\nA failure 2\nA success 3\nB failure 3\nbad f:1\n",
	} {
		if got := outline(t, &otelFormat, lines[i]); got != want {
			t.Errorf("line %d: got\n%swant\n%s", i+1, got, want)
		}
	}
}

// Attempts that are counted from 0, and resends, are attempts from 1; the same
// error again within one span is another attempt.
func TestOTelAttempts(t *testing.T) {
	span := func(i int, attrs string, code int) string {
		return fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"00000000000000%02d","parentSpanId":"b7ad6b7169203330","name":"call","startTimeUnixNano":"17691624%02d000000000","status":{"code":%d,"message":"503"},"attributes":[%s]}]}]}]}`+"\n", i+1, i, code, attrs)
	}
	log := func(i, severity int, attrs string) string {
		return fmt.Sprintf(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"0000000000000001","eventName":"call","timeUnixNano":"17691624%02d000000000","severityNumber":%d,"body":{"stringValue":"503"},"attributes":[%s]}]}]}]}`+"\n", i, severity, attrs)
	}
	attr := func(name string, n int) string {
		return fmt.Sprintf(`{"key":%q,"value":{"intValue":"%d"}}`, name, n)
	}
	retry, resend := "retry.attempt", "http.request.resend_count"
	const want = "A failure 1\nA failure 2\nA success 3\n"
	for _, test := range []struct{ name, in string }{
		{"spans from 0", span(0, attr(retry, 0), 2) + span(1, attr(retry, 1), 2) + span(2, attr(retry, 2), 1)},
		{"spans from 1", span(0, attr(retry, 1), 2) + span(1, attr(retry, 2), 2) + span(2, attr(retry, 3), 1)},
		{"spans sent again", span(0, "", 2) + span(1, attr(resend, 1), 2) + span(2, attr(resend, 2), 1)},
		{"logs from 0", log(0, 17, attr(retry, 0)) + log(1, 17, attr(retry, 1)) + log(2, 9, attr(retry, 2))},
		{"logs sent again", log(0, 17, attr(resend, 0)) + log(1, 17, attr(resend, 1)) + log(2, 9, attr(resend, 2))},
		{"logs sent twice", log(0, 17, attr(retry, 0)) + log(1, 17, attr(retry, 1)) + log(0, 17, attr(retry, 0)) + log(1, 17, attr(retry, 1)) + log(2, 9, attr(retry, 2))},
	} {
		if got := outline(t, &otelFormat, test.in); got != want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, want)
		}
	}
	ids := map[string]bool{}
	for r := range otelFormat.Read(strings.NewReader(log(0, 17, attr(retry, 0))+log(1, 17, attr(retry, 1))), Options{Name: "f", Now: arrived}) {
		ids[r.Event.ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("two attempts within one span have the ids %v", ids)
	}
}

// A CloudEvent in binary mode is the same event as in JSON.
func TestCloudEventBinary(t *testing.T) {
	headers := map[string]string{"specversion": "1.0", "id": "1", "source": "/agents/planner", "type": "x.failed", "time": "2026-01-24T09:00:00Z"}
	data := `{"operation":"search","attempt":1,"message":"Too Many Requests"}`
	binary := CloudEvent(Message{Arrived: arrived, Data: []byte(data)}, func(name string) string { return headers[name] })
	var text []Record
	for r := range cloudEvents.Read(strings.NewReader(`{"specversion":"1.0","id":"1","source":"/agents/planner","type":"x.failed","time":"2026-01-24T09:00:00Z","data":`+data+`}`), Options{Name: "f", Now: arrived}) {
		text = append(text, r)
	}
	if len(binary) != 1 || len(text) != 1 || binary[0].Err != nil || string(binary[0].Event.AppendJSON(nil)) != string(text[0].Event.AppendJSON(nil)) {
		t.Errorf("binary %+v\n  text %+v", binary, text)
	}
	delete(headers, "id")
	if r := CloudEvent(Message{Arrived: arrived, Data: []byte(data)}, func(name string) string { return headers[name] }); r[0].Err == nil {
		t.Error("an event without an id was taken")
	}
}

// Content that was taken for good may be found to be none.
func TestGeminiContent(t *testing.T) {
	line := func(name, attrs string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-15T09:00:00Z","attributes":{"event.name":"gemini_cli.%s","session.id":"s",%s}}`+"\n", name, attrs)
	}
	first, answer, second := line("chat.content_retry", `"attempt_number":0,"error_type":"A"`), line("api_response", `"model":"m"`), line("chat.content_retry", `"attempt_number":1,"error_type":"B"`)
	for _, test := range []struct{ name, in, want string }{
		{"in the end good", first + answer + second + line("api_response", `"model":"n"`), "A failure 1\nA success 2\nA failure 2\nA success 3\n"},
		{"in the end bad", first + answer + second + line("chat.content_retry_failure", `"total_attempts":2`), "A failure 1\nA success 2\nA failure 2\nA end abandoned\n"},
		{"the end alone", line("chat.content_retry_failure", `"total_attempts":2`), "A failure 2 abandoned\n"},
	} {
		if got := outline(t, &gemini, test.in); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}

// Codex counts attempts from 0 in some versions and from 1 in others.
func TestCodexAttempts(t *testing.T) {
	line := func(attempt int, status string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-15T09:00:%02dZ","attributes":{"event.name":"codex.api_request","conversation.id":"c","attempt":%d,%s}}`+"\n", attempt, attempt, status)
	}
	failed, fine := `"http.response.status_code":429,"error.message":"slow down"`, `"http.response.status_code":200`
	for _, test := range []struct{ name, in, want string }{
		{"from 0", line(0, failed) + line(1, failed) + line(2, fine), "A failure 1\nA failure 2\nA success 3\n"},
		{"from 1", line(1, failed) + line(2, failed) + line(3, fine), "A failure 1\nA failure 2\nA success 3\n"},
	} {
		if got := outline(t, &codex, test.in); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}
