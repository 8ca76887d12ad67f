package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A told failure is a request whose connection failed three times, without any
// id of the API, on the three ways on which Claude Code tells of it.
type toldFailure struct {
	session string
	at      time.Time // of the last attempt
	every   bool      // the log tells of each attempt, not only of the last
}

func (f *toldFailure) stamp(seconds float64) string {
	return f.at.Add(time.Duration(seconds * float64(time.Second))).Format("2006-01-02T15:04:05.000Z")
}

// text is what stands in the file of a way, or is sent on it.
func (f *toldFailure) text(way string, live bool) string {
	var b strings.Builder
	log := func(seconds float64, name, more string) {
		fmt.Fprintf(&b, `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"event.name","value":{"stringValue":"%s"}},{"key":"session.id","value":{"stringValue":"%s"}},{"key":"event.timestamp","value":{"stringValue":"%s"}},{"key":"error","value":{"stringValue":"Connection error."}}%s]}]}]}]}`+"\n",
			name, f.session, f.stamp(seconds), more)
	}
	line := func(seconds float64, uuid, more string) {
		fmt.Fprintf(&b, `{"sessionId":"%s","uuid":"%s-%s","timestamp":"%s",%s}`+"\n", f.session, f.session, uuid, f.stamp(seconds), more)
	}
	switch way {
	case "log":
		if f.every {
			log(-1.5, "claude_code.api_error", `,{"key":"attempt","value":{"intValue":"1"}}`)
			log(-1, "claude_code.api_error", `,{"key":"attempt","value":{"doubleValue":2}}`)
		}
		log(0, "claude_code.api_error", `,{"key":"attempt","value":{"stringValue":"3"}}`)
		log(0, "claude_code.api_retries_exhausted", `,{"key":"total_attempts","value":{"intValue":"3"}}`)
	case "hook":
		stamp := `,"timestamp":"` + f.stamp(0.03) + `"`
		if live {
			stamp = "" // the hook itself has none
		}
		fmt.Fprintf(&b, `{"hook_event_name":"StopFailure","session_id":"%s","error":"unknown","error_details":"Connection error."%s}`+"\n", f.session, stamp)
	case "line":
		for i, seconds := range []float64{-1.499, -0.999} {
			line(seconds, fmt.Sprint(i), fmt.Sprintf(`"type":"system","subtype":"api_error","cause":{"code":"ECONNREFUSED"},"error":{"cause":{"code":"ECONNREFUSED"}},"retryInMs":500,"retryAttempt":%d,"maxRetries":2`, i+1))
		}
		line(0.002, "9", `"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: Connection error."}]}`)
	}
	return b.String()
}

// One failure that log, hook and session file tell of is one incident, in any
// order, whether they come as it happens or are read later.
func TestToldOnce(t *testing.T) {
	data := t.TempDir()
	startServe(t, data)
	server, _ := readServer(data)
	var sessions []string
	tell := func(f *toldFailure, way string, live bool) {
		if live && way != "line" {
			path := map[string]string{"log": "/v1/logs", "hook": "/hooks/claude-code"}[way]
			for _, body := range strings.Split(strings.TrimSpace(f.text(way, true)), "\n") {
				if status, answer, _ := post(t, server.HTTP+path, "application/json", []byte(body)); status != http.StatusOK {
					t.Fatalf("%s: %d %s", way, status, answer)
				}
			}
			return
		}
		file := filepath.Join(t.TempDir(), "session.jsonl")
		if err := os.WriteFile(file, []byte(f.text(way, false)), 0o600); err != nil {
			t.Fatal(err)
		}
		if way == "line" && f.every {
			hansei(t, "scan", "--data", data, filepath.Dir(file))
			hansei(t, "scan", "--data", data, filepath.Dir(file)) // adds nothing
			return
		}
		hansei(t, "import", "--data", data, "--format", "claude-code", file)
	}
	for _, live := range []bool{true, false} {
		for _, every := range []bool{false, true} {
			for _, order := range []string{"log hook line", "log line hook", "hook log line", "hook line log", "line log hook", "line hook log"} {
				f := &toldFailure{session: strings.ReplaceAll(fmt.Sprintf("live=%t every=%t %s", live, every, order), " ", "_"), at: time.Now().UTC(), every: every}
				sessions = append(sessions, f.session)
				for _, way := range strings.Fields(order) {
					tell(f, way, live)
				}
			}
		}
	}
	got := string(hansei(t, "query", "--data", data, "--format", "csv", "select session, incident, attempts, resolution, events from v_incidents order by session, incident"))
	for _, session := range sessions {
		var of []string
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, session+",") {
				of = append(of, line)
			}
		}
		if len(of) != 1 || !strings.Contains(of[0], ",3,abandoned,") {
			t.Errorf("%s: want one incident of 3 attempts, got\n%s", session, strings.Join(of, ""))
		}
	}
	if t.Failed() {
		t.Log(string(hansei(t, "query", "--data", data, "--format", "csv", "select session, id, incident, kind, attempt, resolution, time from events order by session, time")))
	}
}

// A request whose attempts a restart of serve lies between is one incident.
func TestToldAcrossRestart(t *testing.T) {
	data := t.TempDir()
	base, serve := startServe(t, data)
	now := time.Now().UTC()
	send := func(seconds int, name, more string) {
		body := fmt.Sprintf(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"event.name","value":{"stringValue":"%s"}},{"key":"session.id","value":{"stringValue":"s"}},{"key":"query_source","value":{"stringValue":"main"}},{"key":"event.timestamp","value":{"stringValue":"%s"}}%s]}]}]}]}`,
			name, now.Add(time.Duration(seconds)*time.Second).Format(time.RFC3339Nano), more)
		if status, answer, _ := post(t, base+"/v1/logs", "application/json", []byte(body)); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	attempt := func(n int) string { return fmt.Sprintf(`,{"key":"attempt","value":{"intValue":"%d"}}`, n) }
	send(-30, "claude_code.api_error", attempt(1))
	stored := url.Values{"sessions": {"[]"}, "from": {now.Format(time.RFC3339)}, "to": {now.Format(time.RFC3339)}} // it waits for what was acked
	if status, answer, _ := post(t, base+"/v1/told", "application/x-www-form-urlencoded", []byte(stored.Encode())); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Fatal(err)
	}
	base, _ = startServe(t, data)
	send(-20, "claude_code.api_error", attempt(2))
	send(-10, "claude_code.api_request", "")
	stored.Set("to", now.Add(time.Second).Format(time.RFC3339))
	if status, answer, _ := post(t, base+"/v1/told", "application/x-www-form-urlencoded", []byte(stored.Encode())); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	if got := string(hansei(t, "query", "--data", data, "--format", "csv", "select attempts, resolution, events from v_incidents")); got != "attempts,resolution,events\n3,retried,3\n" {
		t.Errorf("got %s", got)
	}
}
