// Package otlp reads OpenTelemetry log records and spans into one flat form.
//
// A [Record] is either; its attributes are text, whatever type they arrived
// as, since exporters disagree about ints, doubles and strings. [Protobuf]
// reads the bodies of OTLP/HTTP, [JSON] reads its JSON form, the files of
// collectors, and what the file exporters of the SDKs write. A record that
// does not parse is a Record with an error; those around it are still read.
package otlp

import (
	"encoding/hex"
	"fmt"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A Record is a log record or a span.
type Record struct {
	Name     string // of the event or span; empty when the source gave none
	Time     time.Time
	Duration time.Duration // of a span
	Body     string        // of a log record
	Severity int           // 1 to 24; 0: not said
	Attrs    map[string]string
	Resource map[string]string
	Scope    string // the library that made it
	TraceID  string // in hex
	SpanID   string
	ParentID string
	Span     bool
	Failed   bool   // a span whose status is an error
	Status   string // the status message of a span
	Events   []Event

	Err error  // why there is none; the other fields are empty then
	Raw []byte // of a bad record, as far as it can be told apart
}

// An Event is what happened within a span, such as an exception.
type Event struct {
	Name  string
	Time  time.Time
	Attrs map[string]string
}

// A Signal says what a request carries.
type Signal int

// The signals.
const (
	Logs Signal = iota
	Traces
)

// Protobuf reads the body of an OTLP/HTTP request.
func Protobuf(data []byte, signal Signal) ([]Record, error) {
	if signal == Traces {
		var traces tracepb.TracesData // the same wire form as the service's request
		if err := proto.Unmarshal(data, &traces); err != nil {
			return nil, fmt.Errorf("not OTLP traces: %s", plainError(err))
		}
		return tracesRecords(&traces), nil
	}
	var logs logspb.LogsData
	if err := proto.Unmarshal(data, &logs); err != nil {
		return nil, fmt.Errorf("not OTLP logs: %s", plainError(err))
	}
	return logsRecords(&logs), nil
}

func logsRecords(logs *logspb.LogsData) []Record {
	var records []Record
	for _, resource := range logs.GetResourceLogs() {
		attrs := resourceAttrs(resource.GetResource())
		for _, scope := range resource.GetScopeLogs() {
			for _, l := range scope.GetLogRecords() {
				r := logRecord(l)
				r.Resource, r.Scope = attrs, scope.GetScope().GetName()
				records = append(records, r)
			}
		}
	}
	return records
}

func tracesRecords(traces *tracepb.TracesData) []Record {
	var records []Record
	for _, resource := range traces.GetResourceSpans() {
		attrs := resourceAttrs(resource.GetResource())
		for _, scope := range resource.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				r := spanRecord(s)
				r.Resource, r.Scope = attrs, scope.GetScope().GetName()
				records = append(records, r)
			}
		}
	}
	return records
}

func resourceAttrs(r *resourcepb.Resource) map[string]string { return attrsOf(r.GetAttributes()) }

func logRecord(l *logspb.LogRecord) Record {
	r := Record{
		Name:     l.GetEventName(),
		Time:     nanos(max(l.GetTimeUnixNano(), 0)),
		Severity: severity(int(l.GetSeverityNumber()), l.GetSeverityText()),
		Attrs:    attrsOf(l.GetAttributes()),
		TraceID:  hexID(l.GetTraceId()),
		SpanID:   hexID(l.GetSpanId()),
	}
	if r.Time.IsZero() {
		r.Time = nanos(l.GetObservedTimeUnixNano())
	}
	if fields := l.GetBody().GetKvlistValue(); fields != nil {
		r.addAttrs(attrsOf(fields.GetValues())) // some SDKs put the fields of an event into its body
	} else {
		r.Body = text(l.GetBody())
	}
	r.settleName()
	return r
}

// settleName prefers the attribute event.name: an exporter for Rust puts the
// place in the source code where the name belongs.
func (r *Record) settleName() {
	if name := r.Attrs["event.name"]; name != "" {
		r.Name = name
	}
}

// addAttrs adds what is not there yet.
func (r *Record) addAttrs(more map[string]string) {
	for key, value := range more {
		if _, ok := r.Attrs[key]; !ok {
			r.Attrs[key] = value
		}
	}
}

func spanRecord(s *tracepb.Span) Record {
	r := Record{
		Span:     true,
		Name:     s.GetName(),
		Time:     nanos(s.GetStartTimeUnixNano()),
		Attrs:    attrsOf(s.GetAttributes()),
		TraceID:  hexID(s.GetTraceId()),
		SpanID:   hexID(s.GetSpanId()),
		ParentID: hexID(s.GetParentSpanId()),
		Failed:   s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR,
		Status:   s.GetStatus().GetMessage(),
	}
	if end := nanos(s.GetEndTimeUnixNano()); end.After(r.Time) {
		r.Duration = end.Sub(r.Time)
	}
	for _, e := range s.GetEvents() {
		r.Events = append(r.Events, Event{e.GetName(), nanos(e.GetTimeUnixNano()), attrsOf(e.GetAttributes())})
	}
	return r
}

// hexID writes an id as W3C does; the id of zeros is none.
func hexID(id []byte) string {
	for _, b := range id {
		if b != 0 {
			return hex.EncodeToString(id)
		}
	}
	return ""
}

// nanos reads nanoseconds since 1970; 0 is no time.
func nanos(n uint64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	const second = uint64(time.Second)
	return time.Unix(int64(n/second), int64(n%second)).UTC() // all that the wire form holds, to the year 2554
}

func attrsOf(list []*commonpb.KeyValue) map[string]string {
	attrs := make(map[string]string, len(list))
	for _, kv := range list {
		if kv.GetKey() != "" {
			attrs[kv.GetKey()] = text(kv.GetValue())
		}
	}
	return attrs
}
