package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"

	"hansei/ingest/stream"
)

// post sends a body and returns the status and the answer.
func post(t *testing.T, url, kind string, body []byte, headers ...string) (int, string, http.Header) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", kind)
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text), r.Header
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func field(key, value string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

// What agents send over HTTP is answered as their protocols want, and stored.
func TestReceive(t *testing.T) {
	data := t.TempDir()
	startServe(t, data)
	server, _ := readServer(data)
	logs := server.HTTP + "/v1/logs"
	sample, err := os.ReadFile("../../ingest/testdata/claude-code_otlp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimPrefix(sample, []byte("\ufeff")), []byte("\r\n"))
	attempt := func(n string, name string, more ...*commonpb.KeyValue) []byte {
		out, err := proto.Marshal(&logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{{
			Attributes: append(more, field("event.name", name), field("session.id", "live"), field("attempt", n), field("event.timestamp", "2026-01-15T09:00:0"+n+"Z")),
		}}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := attempt("1", "claude_code.api_error", field("error", "529 Overloaded"), field("status_code", "529"))
	for _, test := range []struct {
		name, path, kind string
		body             []byte
		headers          []string
		status           int
		want             string
	}{
		{name: "JSON", path: "/v1/logs", kind: "application/json", body: lines[0], status: 200, want: `{"partialSuccess":{}}`},
		{name: "gzip", path: "/v1/logs", kind: "application/json; charset=utf-8", body: zipped(t, lines[1]), headers: []string{"Content-Encoding", "gzip"}, status: 200, want: `{"partialSuccess":{}}`},
		{name: "one broken record", path: "/v1/logs", kind: "application/json", body: lines[3], status: 200, want: `{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"otlp[1]: not a record of OTLP`},
		{name: "severity as text alone", path: "/v1/logs", kind: "application/json", body: []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1768467600000000000","severityText":"FATAL","body":{"stringValue":"out of memory"}}]}]}]}`), status: 200, want: `{"partialSuccess":{}}`},
		{name: "a time beyond int64", path: "/v1/logs", kind: "application/json", body: []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"9999999999999999999","severityNumber":17}]}]}]}`), status: 200, want: `more than 24h0m0s after its arrival`},
		{name: "protobuf", path: "/v1/logs", kind: "application/x-protobuf", body: first, status: 200},
		{name: "protobuf again", path: "/v1/logs", kind: "application/x-protobuf", body: zipped(t, first), headers: []string{"Content-Encoding", "gzip"}, status: 200},
		{name: "the attempt that passed", path: "/v1/logs", kind: "application/x-protobuf", body: attempt("2", "claude_code.api_request", field("model", "m")), status: 200},
		{name: "empty protobuf", path: "/v1/traces", kind: "application/x-protobuf", status: 200},
		{name: "no protobuf", path: "/v1/logs", kind: "application/x-protobuf", body: []byte("hello"), status: 400},
		{name: "no JSON", path: "/v1/traces", kind: "application/json", body: []byte("{"), status: 400, want: `{"message":"not OTLP in JSON`},
		{name: "no gzip", path: "/v1/logs", kind: "application/json", body: []byte("{}"), headers: []string{"Content-Encoding", "gzip"}, status: 400},
		{name: "another encoding", path: "/v1/logs", kind: "application/json", headers: []string{"Content-Encoding", "zstd"}, status: 415},
		{name: "another type", path: "/v1/logs", kind: "text/plain", body: []byte("x"), status: 415},
		{name: "a bomb", path: "/v1/logs", kind: "application/json", body: zipped(t, make([]byte, maxReceived+1)), headers: []string{"Content-Encoding", "gzip"}, status: 413},
		{name: "spans", path: "/v1/traces", kind: "application/json", body: []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"chat","traceId":"5bf92f3577b34da6a3ce929d0e0e4736","spanId":"10f067aa0ba902b1","startTimeUnixNano":"1768467600000000000","status":{"code":2,"message":"429 Too Many Requests"}}]}]}]}`), status: 200},
		{name: "hook", path: "/hooks/claude-code", kind: "application/json", body: []byte(`{"hook_event_name":"PostToolUseFailure","session_id":"live","tool_name":"Bash","tool_use_id":"toolu_1","error":"Exit code 1"}`), status: 200},
		{name: "a hook of no interest", path: "/hooks/claude-code", kind: "application/json", body: []byte(`{"hook_event_name":"SessionStart"}`), status: 200},
		{name: "a broken hook", path: "/hooks/claude-code", kind: "application/json", body: []byte(`{"hook`), status: 400, want: "not JSON"},
		{name: "an event", path: "/v1/events", kind: "application/json", body: []byte(`{"id":"e1","time":"2026-01-15T09:00:00Z","agent":"bot","code":"429"}`), status: 200, want: `{"acked":1,"quarantined":0}`},
		{name: "a list", path: "/v1/events", kind: "application/json", body: []byte(`[{"id":"e2","time":"2026-01-15T09:00:00Z","agent":"bot"},{"agent":"bot"}]`), status: 200, want: `{"acked":1,"quarantined":1,"errors":["message[1]: time: missing`},
		{name: "no event", path: "/v1/events", kind: "application/json", body: []byte(`{"agent":"bot"}`), status: 400, want: `"quarantined":1`},
		{name: "CloudEvent", path: "/v1/events", kind: "application/cloudevents+json", body: []byte(`{"specversion":"1.0","id":"1","source":"/bot","type":"x.failed","time":"2026-01-15T09:00:00Z"}`), status: 200, want: `{"acked":1`},
		{name: "CloudEvent in binary mode", path: "/v1/events", kind: "application/json", body: []byte(`{"message":"x"}`), status: 200, want: `{"acked":1`,
			headers: []string{"ce-specversion", "1.0", "ce-id", "2", "ce-source", "/bot", "ce-type", "x.failed", "ce-time", "2026-01-15T09:00:00Z"}},
	} {
		status, answer, header := post(t, server.HTTP+test.path, test.kind, test.body, test.headers...)
		if status != test.status || !strings.Contains(answer, test.want) {
			t.Errorf("%s: got %d %q, want %d %q", test.name, status, answer, test.status, test.want)
		}
		if got := header.Get("Content-Type"); strings.HasPrefix(test.path, "/v1/logs") && status != http.StatusUnsupportedMediaType && !strings.HasPrefix(test.kind, got) {
			t.Errorf("%s: the answer is %s, the request was %s", test.name, got, test.kind)
		}
	}
	query := func(sql string) string {
		return string(hansei(t, "query", "--data", data, "--format", "csv", sql))
	}
	if got := query("select sum(stored) as stored, sum(quarantined) as bad from books"); got != "stored,bad\n26,5\n" {
		t.Errorf("got %q", got)
	}
	if got := query("select attempts, resolution, events from v_incidents where session = 'live' and operation = 'api_request'"); !strings.HasSuffix(got, "2,retried,2\n") {
		t.Errorf("the request sent in parts, one of them twice: got %q", got)
	}
	spans := []byte(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"codex-cli"}}]},"scopeSpans":[{"spans":[{"name":"turn","traceId":"5bf92f3577b34da6a3ce929d0e0e4736","spanId":"10f067aa0ba902b1","status":{"code":2}},{"name":"turn"}]}]}]}`)
	if status, _, _ := post(t, server.HTTP+"/v1/traces", "application/json", spans); status != http.StatusOK {
		t.Errorf("spans of an agent: %d", status)
	}
	if got := string(hansei(t, "doctor", "sources", "--data", data)); !strings.Contains(got, "arrived from codex: nothing yet; 2 spans were left out") {
		t.Errorf("spans that were left out are not told: %s", got)
	}
	if status, _, _ := post(t, logs, "application/json", nil, "Origin", "https://example.com", "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
		t.Errorf("a page of another site was let: %d", status)
	}
}

// A stream that does not answer is told to the sender, who comes again.
func TestReceiveSlow(t *testing.T) {
	client, err := stream.Open(t.Context(), stream.Options{Dir: t.TempDir(), Name: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	client.Close() // as a server that is away
	r := newReceiver(&pipeline{client: client, log: slog.New(slog.DiscardHandler)})
	mux := http.NewServeMux()
	r.register(mux)
	send := func(ctx context.Context) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		q := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/events", strings.NewReader(`{"time":"2026-01-15T09:00:00Z","agent":"bot"}`))
		mux.ServeHTTP(w, q)
		return w
	}
	if w := send(t.Context()); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	for range maxReceiving {
		r.request <- struct{}{}
	}
	if w := send(t.Context()); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
}
