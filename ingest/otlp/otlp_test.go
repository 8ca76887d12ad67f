package otlp

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

func str(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func integer(n int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}
}

func sampleLogs() *logspb.LogsData {
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{Key: "service.name", Value: str("claude-code")}}},
		ScopeLogs: []*logspb.ScopeLogs{{
			Scope: &commonpb.InstrumentationScope{Name: "events"},
			LogRecords: []*logspb.LogRecord{{
				TimeUnixNano: 1768471200123456789,
				Body:         str("claude_code.api_error"),
				TraceId:      []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
				SpanId:       []byte{1, 2, 3, 4, 5, 6, 7, 8},
				Attributes:   []*commonpb.KeyValue{{Key: "event.name", Value: str("api_error")}, {Key: "attempt", Value: integer(3)}},
			}},
		}},
	}}}
}

// The same record gives the same whether it comes as protobuf or as JSON, with
// ids in hex and numbers as text.
func TestBothForms(t *testing.T) {
	body, err := proto.Marshal(sampleLogs())
	if err != nil {
		t.Fatal(err)
	}
	binary, err := Protobuf(body, Logs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := JSON([]byte(`{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"claude-code"}}],"later":1},
		"scopeLogs":[{"scope":{"name":"events"},"logRecords":[{"timeUnixNano":"1768471200123456789","body":{"stringValue":"claude_code.api_error"},
		"traceId":"0102030405060708090a0b0c0d0e0f10","spanId":"0102030405060708","flags":1,"later":{"a":[1]},
		"attributes":[{"key":"event.name","value":{"stringValue":"api_error"}},{"key":"attempt","value":{"intValue":"3"}}]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(binary, text) {
		t.Errorf("binary %+v\n  text %+v", binary, text)
	}
	r := text[0]
	if r.Name != "api_error" || r.Attrs["attempt"] != "3" || r.TraceID != "0102030405060708090a0b0c0d0e0f10" || r.Resource["service.name"] != "claude-code" ||
		!r.Time.Equal(time.Unix(1768471200, 123456789)) {
		t.Errorf("got %+v", r)
	}
}

func TestSpanForms(t *testing.T) {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{
		Name: "chat", TraceId: make([]byte, 16), SpanId: []byte{9, 0, 0, 0, 0, 0, 0, 1}, StartTimeUnixNano: 2e18, EndTimeUnixNano: 2e18 + 5e6,
		Status: &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "429"},
		Events: []*tracepb.Span_Event{{Name: "exception", TimeUnixNano: 2e18, Attributes: []*commonpb.KeyValue{{Key: "exception.type", Value: str("E")}}}},
	}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	binary, err := Protobuf(body, Traces)
	if err != nil {
		t.Fatal(err)
	}
	text, err := JSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"chat","spanId":"0900000000000001","startTimeUnixNano":2000000000000000000,
		"endTimeUnixNano":"2000000000005000000","kind":3,"status":{"code":2,"message":"429"},
		"events":[{"name":"exception","timeUnixNano":"2000000000000000000","attributes":[{"key":"exception.type","value":{"stringValue":"E"}}]}]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(binary, text) || !text[0].Failed || text[0].Duration != 5*time.Millisecond || text[0].TraceID != "" {
		t.Errorf("binary %+v\n  text %+v", binary, text)
	}
}

// One broken record does not spoil the others of its document.
func TestBrokenRecord(t *testing.T) {
	records, err := JSON([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"soon"},7,{"body":{"stringValue":"ok"}}]}]}]}`))
	if err != nil || len(records) != 3 {
		t.Fatalf("got %v, %v", records, err)
	}
	if records[0].Err == nil || string(records[0].Raw) != `{"timeUnixNano":"soon"}` || records[1].Err == nil || records[2].Err != nil || records[2].Body != "ok" {
		t.Errorf("got %+v", records)
	}
	if got := records[0].Err.Error(); strings.ContainsRune(got, '\u00a0') || !strings.HasPrefix(got, "not a record of OTLP: ") {
		t.Errorf("error %q", got)
	}
}

func TestValuesAsText(t *testing.T) {
	records, err := JSON([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[
		{"key":"int","value":{"intValue":429}},{"key":"double","value":{"doubleValue":2}},{"key":"bool","value":{"boolValue":false}},
		{"key":"list","value":{"arrayValue":{"values":[{"stringValue":"a"},{"intValue":"1"}]}}},
		{"key":"map","value":{"kvlistValue":{"values":[{"key":"k","value":{"doubleValue":1.5}}]}}},{"key":"none","value":{}}]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"int": "429", "double": "2", "bool": "false", "list": `["a",1]`, "map": `{"k":1.5}`, "none": ""}
	if !reflect.DeepEqual(records[0].Attrs, want) {
		t.Errorf("got %v", records[0].Attrs)
	}
}

func TestSDK(t *testing.T) {
	for _, test := range []struct{ name, in string }{
		{"JavaScript file", `{"hrTime":[1768471200,500000000],"body":"API error","severityNumber":9,"resource":{"attributes":{"service.name":"gemini-cli"},"_raw":[]},
			"instrumentationScope":{"name":"gemini-cli"},"attributes":{"event.name":"gemini_cli.api_error","status_code":429}}`},
		{"JavaScript console", `{"timestamp":1768471200500000,"body":"API error","severityNumber":9,"resource":{"attributes":{"service.name":"gemini-cli"}},
			"instrumentationScope":{"name":"gemini-cli"},"eventName":"gemini_cli.api_error","attributes":{"event.name":"gemini_cli.api_error","status_code":"429"}}`},
		{"Python console", `{"timestamp":"2026-01-15T10:00:00.500000Z","body":"API error","severity_number":9,"resource":{"attributes":{"service.name":"gemini-cli"}},
			"instrumentationScope":{"name":"gemini-cli"},"event_name":"gemini_cli.api_error","attributes":{"event.name":"gemini_cli.api_error","status_code":429},"trace_id":"0x00000000000000000000000000000000"}`},
	} {
		got, ok := SDK([]byte(test.in))
		want := Record{Name: "gemini_cli.api_error", Time: time.Date(2026, 1, 15, 10, 0, 0, 5e8, time.UTC), Body: "API error", Severity: 9, Scope: "gemini-cli",
			Attrs:    map[string]string{"event.name": "gemini_cli.api_error", "status_code": "429"},
			Resource: map[string]string{"service.name": "gemini-cli"}}
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", test.name, got, ok)
		}
	}
	if _, ok := SDK([]byte(`{"type":"user"}`)); ok {
		t.Error("a record without attributes was taken")
	}
}

func TestParseTime(t *testing.T) {
	want := time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{"2026-01-15T19:00:00+09:00", "1768471200", "1768471200000", "1768471200000000", "1768471200000000000", "[1768471200,0]", "1768471200.0"} {
		if got := ParseTime(text); !got.Equal(want) {
			t.Errorf("%s: got %v", text, got)
		}
	}
	for _, text := range []string{"", "soon", "12", "-5", "1e300", "NaN", "[1]", "null"} {
		if got := ParseTime(text); !got.IsZero() {
			t.Errorf("%s: got %v, want none", text, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	if got := Answer(0, ""); len(got) != 0 {
		t.Errorf("got %x", got)
	}
	if got := fmt.Sprintf("%x", Answer(2, "no")); got != "0a0608021202"+"6e6f" {
		t.Errorf("got %s", got)
	}
	if got := string(AnswerJSON(2, `no "time"`, Traces)); got != `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no \"time\""}}` {
		t.Errorf("got %s", got)
	}
}

// Reading never panics and is the same twice.
func FuzzDecode(f *testing.F) {
	body, err := proto.Marshal(sampleLogs())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"soon","traceId":"0102"},{"body":{"kvlistValue":{"values":[{"key":"a"}]}}}]}]}]}`))
	f.Add([]byte(`{"hrTime":[1768471200,500000000],"attributes":{"a":[1,null]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func() string {
			logs, err1 := Protobuf(data, Logs)
			spans, err2 := Protobuf(data, Traces)
			text, err3 := JSON(data)
			sdk, ok := SDK(data)
			return fmt.Sprint(logs, err1, spans, err2, text, err3, sdk, ok)
		}
		if once, twice := read(), read(); once != twice {
			t.Errorf("two readings differ:\n%s\n%s", once, twice)
		}
	})
}

// A record may name its severity and leave the number out.
func TestSeverity(t *testing.T) {
	for _, test := range []struct {
		number int
		text   string
		want   int
	}{
		{17, "", 17}, {9, "ERROR", 9}, {0, "", 0}, {0, "ERROR", 17}, {0, "error2", 18}, {0, "FATAL", 21}, {0, "Fatal4", 24}, {0, " WARN ", 13}, {0, "WARNING", 13},
		{0, "[CRITICAL]", 18}, {0, "Err", 17}, {0, "SEVERE", 17}, {0, "Information", 9}, {0, "TRACE", 1}, {0, "DEBUG3", 7}, {0, "ERROR5", 0}, {0, "4", 0}, {0, "oops", 0},
	} {
		if got := severity(test.number, test.text); got != test.want {
			t.Errorf("%d %q is %d, want %d", test.number, test.text, got, test.want)
		}
	}
	text, err := JSON([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"severityText":"ERROR"}]}]}]}`))
	if err != nil || text[0].Severity != 17 {
		t.Errorf("JSON: %+v, %v", text, err)
	}
	for _, line := range []string{`{"severityText":"ERROR","attributes":{}}`, `{"severity_text":"FATAL","attributes":{}}`} {
		if r, ok := SDK([]byte(line)); !ok || r.Severity < 17 {
			t.Errorf("%s: %+v", line, r)
		}
	}
}

// A time that the wire form holds and Go's nanoseconds do not is that time, which
// is far ahead, and not the absence of one.
func TestTimesBeyondInt64(t *testing.T) {
	want := time.Unix(9999999999, 999999999)
	records, err := JSON([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"9999999999999999999"}]}]}]}`))
	if err != nil || !records[0].Time.Equal(want) {
		t.Errorf("%+v, %v", records, err)
	}
	if got := ParseTime("9999999999999999999"); got.Year() != want.Year() {
		t.Errorf("%v", got)
	}
}
