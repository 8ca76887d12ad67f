package otlp

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// An sdkRecord is a log record as the file and console exporters of the SDKs
// write it: attributes as an object, the time in one of many forms.
type sdkRecord struct {
	Name           string                     `json:"name"`
	EventName      string                     `json:"eventName"`
	SnakeEventName string                     `json:"event_name"`
	Attributes     map[string]json.RawMessage `json:"attributes"`
	Body           json.RawMessage            `json:"body"`
	HRTime         json.RawMessage            `json:"hrTime"`
	Timestamp      json.RawMessage            `json:"timestamp"`
	StartTime      json.RawMessage            `json:"start_time"`
	EndTime        json.RawMessage            `json:"end_time"`
	Severity       json.RawMessage            `json:"severityNumber"`
	SnakeSeverity  json.RawMessage            `json:"severity_number"`
	Level          string                     `json:"severityText"`
	SnakeLevel     string                     `json:"severity_text"`
	TraceID        string                     `json:"traceId"`
	SnakeTraceID   string                     `json:"trace_id"`
	SpanID         string                     `json:"spanId"`
	SnakeSpanID    string                     `json:"span_id"`
	ParentID       string                     `json:"parent_id"`
	Context        sdkContext                 `json:"context"`
	SpanContext    sdkContext                 `json:"spanContext"`
	Status         struct {
		Code        string `json:"status_code"`
		Description string `json:"description"`
	} `json:"status"`
	Events []struct {
		Name       string                     `json:"name"`
		Timestamp  json.RawMessage            `json:"timestamp"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"events"`
	Resource struct {
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"resource"`
	Scope struct {
		Name string `json:"name"`
	} `json:"instrumentationScope"`
}

type sdkContext struct {
	TraceID      string `json:"traceId"`
	SnakeTraceID string `json:"trace_id"`
	SpanID       string `json:"spanId"`
	SnakeSpanID  string `json:"span_id"`
}

// SDK reads a record as an exporter of an SDK writes it to a file or console;
// false for anything else.
func SDK(value []byte) (Record, bool) {
	if !bytes.Contains(value, []byte(`"attributes"`)) {
		return Record{}, false
	}
	var s sdkRecord
	if err := json.Unmarshal(value, &s); err != nil && !IsTypeError(err) || s.Attributes == nil {
		return Record{}, false
	}
	r := Record{
		Name:     first(s.EventName, s.SnakeEventName, s.Name),
		Time:     firstTime(s.HRTime, s.Timestamp, s.StartTime),
		Body:     rawText(s.Body),
		Attrs:    rawAttrs(s.Attributes),
		Resource: rawAttrs(s.Resource.Attributes),
		Scope:    s.Scope.Name,
		TraceID:  plainID(first(s.TraceID, s.SnakeTraceID, s.Context.TraceID, s.Context.SnakeTraceID, s.SpanContext.TraceID)),
		SpanID:   plainID(first(s.SpanID, s.SnakeSpanID, s.Context.SpanID, s.Context.SnakeSpanID, s.SpanContext.SpanID)),
		ParentID: plainID(s.ParentID),
		Span:     len(s.StartTime) > 0,
		Failed:   s.Status.Code == "ERROR",
		Status:   s.Status.Description,
	}
	number, _ := strconv.Atoi(rawText(firstRaw(s.Severity, s.SnakeSeverity))) // none is 0
	r.Severity = severity(number, first(s.Level, s.SnakeLevel))
	if end := firstTime(s.EndTime); end.After(r.Time) && r.Span {
		r.Duration = end.Sub(r.Time)
	}
	for _, e := range s.Events {
		r.Events = append(r.Events, Event{e.Name, firstTime(e.Timestamp), rawAttrs(e.Attributes)})
	}
	if bytes.HasPrefix(bytes.TrimSpace(s.Body), []byte("{")) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(s.Body, &fields) == nil {
			r.addAttrs(rawAttrs(fields))
		}
	}
	r.settleName()
	return r, true
}

// IsTypeError reports whether only some fields were of another type: they are
// absent then, and the others are read.
func IsTypeError(err error) bool {
	_, ok := err.(*json.UnmarshalTypeError)
	return ok
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func firstRaw(values ...json.RawMessage) json.RawMessage {
	for _, value := range values {
		if len(value) > 0 {
			return value
		}
	}
	return nil
}

// plainID takes the prefix from an id in hex.
func plainID(id string) string {
	id = strings.TrimPrefix(id, "0x")
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

func rawAttrs(fields map[string]json.RawMessage) map[string]string {
	attrs := make(map[string]string, len(fields))
	for key, value := range fields {
		attrs[key] = rawText(value)
	}
	return attrs
}

// rawText is a JSON value as text; null is empty.
func rawText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return ""
	}
	return compact.String()
}

func firstTime(values ...json.RawMessage) time.Time {
	for _, value := range values {
		if t := ParseTime(rawText(value)); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// ParseTime reads a time of an exporter: RFC 3339, [seconds,nanoseconds], or a
// number since 1970 whose size tells its unit. It returns the zero time for
// anything else.
func ParseTime(text string) time.Time {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC()
	}
	var pair []float64
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &pair) == nil && len(pair) == 2 {
		return since(pair[0] * 1e9).Add(time.Duration(pair[1]))
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 1e17 {
		return time.Unix(0, n).UTC() // exact, which a float is not
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) {
		return time.Time{}
	}
	// The borders lie a factor of a thousand apart; each leaves room for the
	// years 2001 to 5000.
	switch {
	case n < 1e9:
		return time.Time{}
	case n < 1e11:
		return since(n * 1e9)
	case n < 1e14:
		return since(n * 1e6)
	case n < 1e17:
		return since(n * 1e3)
	}
	return since(n)
}

// since is the time n nanoseconds after 1970.
func since(n float64) time.Time {
	if n <= 0 || n >= math.MaxUint64 {
		return time.Time{}
	}
	return nanos(uint64(n))
}
