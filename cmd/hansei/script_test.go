package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hansei": main, "nats-for-test": natsForTest})
}

// The scripts run the real program as a user would.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"wait-serve":    waitServe,
			"get":           get,
			"repeat":        repeat,
			"wait-category": waitCategory,
			"last-line":     lastLine,
			"wait-stdout":   waitStdout,
			"wait-get":      waitGet,
		},
	})
}

// deadline bounds every wait of a script: far more than any takes.
const deadline = time.Minute

// waitServe waits until the serve of a data folder answers, and sets $HTTP and
// $NATS to where it does.
func waitServe(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0]) + "/serve.json"
	for end := time.Now().Add(deadline); ; {
		var s runningServer
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &s) == nil && s.NATS != "" { // empty while it starts
			if r, err := http.Get(s.HTTP + "/healthz"); err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK {
				ts.Setenv("HTTP", s.HTTP)
				ts.Setenv("NATS", s.NATS)
				ts.Setenv("HTTP_ADDRESS", strings.TrimPrefix(s.HTTP, "http://"))
				ts.Setenv("NATS_ADDRESS", strings.TrimPrefix(s.NATS, "nats://"))
				return
			}
		}
		if time.Now().After(end) {
			ts.Fatalf("no serve at %s", path)
		}
		time.Sleep(10 * time.Millisecond) // between looks at a condition
	}
}

// get writes the answer of a URL to stdout; ! get wants an error status.
func get(ts *testscript.TestScript, neg bool, args []string) {
	r, text := answerOf(ts, args[0])
	if neg == (r.StatusCode == http.StatusOK) {
		ts.Fatalf("GET %s: %s: %s", args[0], r.Status, text)
	}
	_, err := ts.Stdout().Write(text)
	ts.Check(err)
}

func answerOf(ts *testscript.TestScript, address string) (*http.Response, []byte) {
	r, err := http.Get(address)
	ts.Check(err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	ts.Check(err)
	return r, text
}

// repeat writes a file of lines: repeat FILE COUNT LINE, where %d is the number.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	var b strings.Builder
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	for i := range n {
		b.WriteString(strings.ReplaceAll(args[2], "%d", strconv.Itoa(i)) + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// waitCategory publishes the event in a file under ever new ids until serve
// gives one the category: wait-category FILE CATEGORY.
func waitCategory(ts *testscript.TestScript, neg bool, args []string) {
	template := ts.ReadFile(args[0])
	for n, end := 0, time.Now().Add(deadline); ; n++ {
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(template, "%d", strconv.Itoa(n))), 0o644))
		ts.Check(ts.Exec("hansei", "publish", args[0]))
		ts.Check(ts.Exec("hansei", "query", "--format", "csv", "select category from events order by position desc limit 1"))
		if strings.Contains(ts.ReadFile("stdout"), args[1]) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("no event became %s", args[1])
		}
		time.Sleep(50 * time.Millisecond) // between looks at a condition
	}
}

// lastLine sets a variable to the last line of stdout: last-line NAME.
func lastLine(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	ts.Setenv(args[0], lines[len(lines)-1])
}

// waitStdout runs a command until its output holds a text: wait-stdout TEXT COMMAND….
func waitStdout(ts *testscript.TestScript, neg bool, args []string) {
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) { // between looks at a condition
		ts.Check(ts.Exec(args[1], args[2:]...))
		if strings.Contains(ts.ReadFile("stdout"), args[0]) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("waited in vain for %s", args[0])
		}
	}
}

// waitGet gets a URL until the answer holds a text: wait-get TEXT URL.
func waitGet(ts *testscript.TestScript, neg bool, args []string) {
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) { // between looks at a condition
		if _, text := answerOf(ts, args[1]); strings.Contains(string(text), args[0]) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("waited in vain for %s", args[0])
		}
	}
}
