package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// A document is the JSON form of logs or traces, as an exporter sends it and a
// collector writes it. Its records are read one by one, so that a broken one
// does not spoil the others.
type document struct {
	ResourceLogs  []resourceNode `json:"resourceLogs"`
	ResourceSpans []resourceNode `json:"resourceSpans"`
	SnakeLogs     []resourceNode `json:"resource_logs"`
	SnakeSpans    []resourceNode `json:"resource_spans"`
}

type resourceNode struct {
	Resource   json.RawMessage `json:"resource"`
	ScopeLogs  []scopeNode     `json:"scopeLogs"`
	ScopeSpans []scopeNode     `json:"scopeSpans"`
	SnakeLogs  []scopeNode     `json:"scope_logs"`
	SnakeSpans []scopeNode     `json:"scope_spans"`
	OldLogs    []scopeNode     `json:"instrumentationLibraryLogs"` // before OTLP 0.19
	OldSpans   []scopeNode     `json:"instrumentationLibrarySpans"`
}

type scopeNode struct {
	Scope struct {
		Name string `json:"name"`
	} `json:"scope"`
	LogRecords []json.RawMessage `json:"logRecords"`
	SnakeLogs  []json.RawMessage `json:"log_records"`
	OldLogs    []json.RawMessage `json:"logs"`
	Spans      []json.RawMessage `json:"spans"`
}

// IsDocument reports whether a JSON value is meant as logs or traces of OTLP,
// and does not merely speak of them.
func IsDocument(value []byte) bool {
	if !bytes.Contains(value, []byte(`"resource`)) {
		return false
	}
	var d struct {
		Logs       json.RawMessage `json:"resourceLogs"`
		Spans      json.RawMessage `json:"resourceSpans"`
		SnakeLogs  json.RawMessage `json:"resource_logs"`
		SnakeSpans json.RawMessage `json:"resource_spans"`
	}
	return json.Unmarshal(value, &d) == nil && firstRaw(d.Logs, d.Spans, d.SnakeLogs, d.SnakeSpans) != nil
}

// JSON reads a document of logs or traces or both.
func JSON(value []byte) ([]Record, error) {
	var d document
	if err := json.Unmarshal(value, &d); err != nil {
		var field *json.UnmarshalTypeError
		if errors.As(err, &field) {
			return nil, fmt.Errorf("not OTLP in JSON: %s is a %s", field.Field, field.Value)
		}
		return nil, fmt.Errorf("not OTLP in JSON: %v", err)
	}
	var records []Record
	for _, resource := range append(d.ResourceLogs, d.SnakeLogs...) {
		for _, scope := range join(resource.ScopeLogs, resource.SnakeLogs, resource.OldLogs) {
			for _, raw := range join(scope.LogRecords, scope.SnakeLogs, scope.OldLogs) {
				records = append(records, readOne(raw, resource.Resource, scope.Scope.Name, logFromJSON))
			}
		}
	}
	for _, resource := range append(d.ResourceSpans, d.SnakeSpans...) {
		for _, scope := range join(resource.ScopeSpans, resource.SnakeSpans, resource.OldSpans) {
			for _, raw := range scope.Spans {
				records = append(records, readOne(raw, resource.Resource, scope.Scope.Name, spanFromJSON))
			}
		}
	}
	return records, nil
}

func join[T any](lists ...[]T) []T {
	var all []T
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// readOne reads one record; what is wrong with it is its own affair.
func readOne(raw, resource json.RawMessage, scope string, read func(json.RawMessage) (Record, error)) Record {
	r, err := read(raw)
	if err != nil {
		return Record{Err: err, Raw: bytes.Clone(raw)}
	}
	r.Resource, r.Scope = map[string]string{}, scope
	var p resourcepb.Resource
	if len(resource) > 0 && unmarshal(resource, &p) == nil {
		r.Resource = resourceAttrs(&p)
	}
	return r
}

// lenient ignores fields of later versions.
var lenient = protojson.UnmarshalOptions{DiscardUnknown: true}

func unmarshal(raw []byte, into proto.Message) error {
	if err := lenient.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("not a record of OTLP: %s", plainError(err))
	}
	return nil
}

// plainError takes from an error of the library the prefix that it varies from
// build to build: the same mistake is to read the same.
func plainError(err error) string {
	return strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\u00a0", " "), "proto: ")
}

func logFromJSON(raw json.RawMessage) (Record, error) {
	var l logspb.LogRecord
	if err := unmarshal(raw, &l); err != nil {
		return Record{}, err
	}
	l.TraceId, l.SpanId = hexBytes(l.GetTraceId()), hexBytes(l.GetSpanId())
	return logRecord(&l), nil
}

func spanFromJSON(raw json.RawMessage) (Record, error) {
	var s tracepb.Span
	if err := unmarshal(raw, &s); err != nil {
		return Record{}, err
	}
	s.TraceId, s.SpanId, s.ParentSpanId = hexBytes(s.GetTraceId()), hexBytes(s.GetSpanId()), hexBytes(s.GetParentSpanId())
	return spanRecord(&s), nil
}

// hexBytes mends an id. OTLP writes ids in hex where the JSON form of protobuf
// has base64; their lengths are multiples of four, so that the decoder took the
// digits for base64, and encoding them again gives the digits back. Ids that
// come as base64 after all have their right length already.
func hexBytes(id []byte) []byte {
	switch len(id) {
	case 0, 8, 16:
		return id
	}
	digits := base64.StdEncoding.EncodeToString(id)
	out := make([]byte, 0, len(digits)/2)
	for i := 0; i+1 < len(digits); i += 2 {
		high, low := hexDigit(digits[i]), hexDigit(digits[i+1])
		if high < 0 || low < 0 {
			return id
		}
		out = append(out, byte(high<<4|low))
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
