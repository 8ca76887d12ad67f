package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// What belongs together is one failure, and what is healthy is none.
func TestTextLines(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string // messages
		healthy  int
	}{
		{"levels", "2026-01-10 09:15:00 INFO starting worker\nDEBUG x\n[trace] y\nINFO:root:z\n2026-01-10 09:15:00,125 - app.main - INFO - hello\nlevel=info msg=ok\n2026-01-10 09:15:01 WARN 429\ninfo: fine\nERROR boom\n",
			[]string{"WARN 429", "ERROR boom"}, 7},
		{"levels in words", "no INFO here\nMissing DEBUG symbols\nINFORMATION lost\n", []string{"no INFO here", "Missing DEBUG symbols", "INFORMATION lost"}, 0},
		{"JSON", `{"level":"info","time":"2026-01-10T09:15:00Z","msg":"starting"}` + "\n" + `{"level":30,"msg":"hi"}` + "\n" +
			`{"level":"error","time":"2026-01-10T09:15:01Z","msg":"call","error":"ECONNREFUSED"}` + "\n" + `{"level":"info","msg":"done","err":{"message":"EPIPE"}}`,
			[]string{"call: ECONNREFUSED", "done: EPIPE"}, 2},
		{"Python", "2026-01-10 09:15:00 INFO start\nTraceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\nValueError: bad\n2026-01-10 09:15:02 ERROR next\n",
			[]string{"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\nValueError: bad", "ERROR next"}, 1},
		{"Python, logged", "2026-01-10 09:15:00 ERROR job\nTraceback (most recent call last):\n  File \"a.py\"\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"b.py\"\nValueError: bad\nother line\n",
			[]string{"ERROR job\nTraceback (most recent call last):\n  File \"a.py\"\nKeyError: 'a'\nDuring handling of the above exception, another exception occurred:\nTraceback (most recent call last):\n  File \"b.py\"\nValueError: bad", "other line"}, 0},
		{"Go", "panic: runtime error: index out of range [1]\n\ngoroutine 1 [running]:\nmain.(*T).run(0x1, {0x2})\n\t/a/main.go:5 +0x1d\nmain.main()\n\t/a/main.go:9 +0x1d\nexit status 2\nnext: ENOENT\n",
			[]string{"panic: runtime error: index out of range [1]\ngoroutine 1 [running]:\nmain.(*T).run(0x1, {0x2})\n\t/a/main.go:5 +0x1d\nmain.main()\n\t/a/main.go:9 +0x1d\nexit status 2", "next: ENOENT"}, 0},
		{"Java", "Exception in thread \"main\" java.lang.IllegalStateException: bad\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk\n\tat a.D.e(D.java:2)\n\t... 3 more\nnext\n",
			[]string{"Exception in thread \"main\" java.lang.IllegalStateException: bad\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk\n\tat a.D.e(D.java:2)\n\t... 3 more", "next"}, 0},
		{"Node", "/app/x.js:3\n  throw new Error('x')\n  ^\n\nError: x\n    at f (/app/x.js:3:9)\n\nNode.js v20.1.0\nnext\n",
			[]string{"/app/x.js:3\n  throw new Error('x')\n  ^\nError: x\n    at f (/app/x.js:3:9)\nNode.js v20.1.0", "next"}, 0},
		{"indented from the start", "  a: ENOENT\n  b: ENOENT\n", []string{"a: ENOENT", "b: ENOENT"}, 0},
	} {
		healthy := 0
		var got []string
		for r, err := range textLines.Read(strings.NewReader(test.in), Options{Name: "f", Now: arrived, Healthy: &healthy}) {
			if err != nil || r.Err != nil {
				t.Fatalf("%s: %v, %v", test.name, err, r.Err)
			}
			got = append(got, r.Event.Message)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) || healthy != test.healthy {
			t.Errorf("%s: got %d healthy and\n%q\nwant %d and\n%q", test.name, healthy, got, test.healthy, test.want)
		}
	}
}

// Lines of syslog have no year: it is the last one before the file's change.
func TestSyslogTimes(t *testing.T) {
	changed := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	o := Options{Name: "f", Now: changed, Modified: changed}
	for _, test := range []struct{ line, want, said string }{
		{"Jan 15 10:32:00 host bot[12]: error: connection refused", "2026-01-15T10:32:00Z", "host bot[12]: error: connection refused"},
		{"<11>Mar  2 12:00:01 host bot: error: x", "2026-03-02T12:00:01Z", "host bot: error: x"},
		{"Dec 31 23:59:59 host bot: error: x", "2025-12-31T23:59:59Z", "host bot: error: x"},
		{"Feb 29 01:00:00 host bot: error: x", "2024-02-29T01:00:00Z", "host bot: error: x"},
		{"Foo 31 23:59:59 error: x", "2026-03-02T12:00:00Z", "Foo 31 23:59:59 error: x"},
	} {
		for r, err := range textLines.Read(strings.NewReader(test.line+"\n"), o) {
			if err != nil || r.Err != nil || r.Event.Time.Format(time.RFC3339) != test.want || r.Event.Message != test.said {
				t.Errorf("%q: %v %q, %v %v", test.line, r.Event.Time, r.Event.Message, err, r.Err)
			}
		}
	}
}
