package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestFieldMap(t *testing.T) {
	m, err := ParseFieldMap([]string{"message=err.msg", "time=ts", "attempt=try", "agent=svc"})
	if err != nil {
		t.Fatal(err)
	}
	many := `{"ts":1767225600,"err":{"msg":"m"}`
	for i := range MaxAttrs + 1 {
		many += fmt.Sprintf(`,"k%d":1`, i)
	}
	for _, test := range []struct{ name, in, want string }{
		{"seconds", `{"ts":1767225600,"err":{"msg":"429"},"try":"2"}`, `"time":"2026-01-01T00:00:00Z","kind":"failure","agent":"jsonl","attempt":2,"message":"429","source":"jsonl"`},
		{"milliseconds as text", `{"ts":"1767225600250","err":{"msg":"x"},"svc":"bot"}`, `"time":"2026-01-01T00:00:00.25Z","kind":"failure","agent":"bot"`},
		{"nanoseconds", `{"ts":1767225600250000000,"err":{"msg":"x"}}`, `"time":"2026-01-01T00:00:00.25Z"`},
		{"no zone", `{"ts":"2026-01-01 09:00:00","err":{"msg":"x"}}`, `"time":"2026-01-01T00:00:00Z"`},
		{"a path that is a name", `{"ts":1767225600,"err.msg":"whole"}`, `"message":"whole"`},
		{"a value that is an object", `{"ts":1767225600,"err":{"msg":{"a":1}}}`, `"message":"{\"a\":1}"`},
		{"a field of another meaning", `{"ts":1767225600,"err":{"msg":"x"},"status":{"a":1},"message":"old"}`, `"attrs":{"err":"{\"msg\":\"x\"}","original_message":"old","original_status":"{\"a\":1}","ts":"1767225600"}`},
		{"a mapped field that is not there", `{"ts":1767225600,"agent":"a","err":{"msg":"x"}}`, `"agent":"jsonl","message":"x"`},
		{"an array", `[{"ts":1767225600,"err":{"msg":"one"}},{"err":{"msg":"two"}}]`, "f:1[1] BAD time: missing"},
		{"too many others", many + "}", `"attrs":{"record":"{`},
		{"no such time", `{"ts":"soon"}`, `f:1 BAD time: "soon" is not a time`},
		{"no such number", `{"ts":1767225600,"try":"two"}`, `BAD attempt: "two", want an integer`},
		{"not JSON", `{oops`, "BAD not JSON"},
		{"no object", `17`, "BAD not a record"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tokyo := time.FixedZone("JST", 9*60*60)
			got := show(hansei.Read(strings.NewReader(test.in), Options{Name: "f", Location: tokyo, Map: m}))
			if !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// What records have nothing for is counted; once is enough to know that the
// path is right.
func TestFieldMapMissing(t *testing.T) {
	m, err := ParseFieldMap([]string{"attempt=try", "message=err.msg", "time=ts"})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		line, want string
		lacks      bool
	}{
		{`{"ts":1767225600,"err":{},"msg":"x"}`, "[{attempt try 1 1} {message err.msg 1 1}]", true},
		{`{"ts":1767225600,"err":{"msg":"x"},"try":1}`, "[{attempt try 1 2} {message err.msg 1 2}]", false},
		{`{oops`, "[{attempt try 1 2} {message err.msg 1 2}]", false},
	} {
		_, _ = m.Apply([]byte(step.line), time.UTC) // its error is another matter
		if got := fmt.Sprint(m.Missing()); got != step.want || m.Lacks("message") != step.lacks || m.Lacks("code") {
			t.Errorf("line %d: got %s, lacks %v; want %s, %v", i, got, m.Lacks("message"), step.want, step.lacks)
		}
	}
}

func TestParseFieldMap(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"message", "write FIELD=PATH"},
		{"=x", "write FIELD=PATH"},
		{"msg=x", "an event has no field msg"},
		{"attrs=x", "an event has no field attrs"},
	} {
		if _, err := ParseFieldMap([]string{test.in}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.in, err, test.want)
		}
	}
	if _, err := ParseFieldMap([]string{"code=a", "code=b"}); err == nil {
		t.Error("a field was mapped twice")
	}
}

func TestPlainText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"\x1b[1;31mred\x1b[0m", "red"},
		{"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\", "ab"},
		{"\x1b]never closed\nnext", "\nnext"},
		{"\x1b[31", ""},
		{"a\u009b2Kb", "ab"},
		{"10%\r20%\r\nnext\r\n", "20%\nnext\n"},
		{"bell\x07 and null\x00", "bell and null"},
		{"\x1b(B\x1b=ok\x1b", "ok"},
	} {
		if got := PlainText(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}
