package ingest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"hansei/ingest/otlp"
)

// A Receiver reads what agents send while they run, each in its dialect. It
// remembers the requests under way, so that attempts that are sent one by one
// are joined, and what is sent a second time is the same again. It is safe for
// concurrent use.
type Receiver struct {
	mu       sync.Mutex
	readings map[string]*reading
	known    Known
	twins    Twins
	spans    map[string]int // that were left out, by format
}

// Known returns the stored events of sessions, nil: of all, in [from, to], which [Event.Told]
// is true of, in the order of their times.
type Known func(sessions []string, from, to time.Time) []Event

// A Received record is one of a source.
type Received struct {
	Record
	Source string // the format it was read as
}

// dialects begin each dialect that can be received.
var dialects = map[string]func(resend bool) dialect{
	claudeCodeName: newClaudeCode, codexName: newCodex, geminiName: newGemini, otelName: newOTel,
	cloudEventsName: func(bool) dialect { return cloudDialect{} },
}

// NewReceiver returns a Receiver that has seen nothing yet; known tells it what
// came on other ways, nil: nothing did.
func NewReceiver(known Known) *Receiver {
	r := &Receiver{readings: map[string]*reading{}, known: known, spans: map[string]int{}}
	for name, begin := range dialects {
		r.readings[name] = &reading{dialect: begin(true), name: name, live: true}
	}
	return r
}

// resumed is how far back a request may have begun that is still under way when
// a receiver begins: the retries of an agent last some minutes.
const resumed = 30 * time.Minute

// Resume makes the receiver know the requests that were under way at now, as
// when the process before it ended in the middle of them.
func (r *Receiver) Resume(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.known(nil, now.Add(-resumed), now.Add(MaxAhead)) {
		in := r.readings[e.Source]
		if in == nil {
			continue // a source that is no longer received
		}
		if d, ok := in.dialect.(interface{ resume(Event, teller) }); ok && e.Attrs[toldBy] != wayLine {
			by := byLog
			if e.Attrs[toldBy] == wayHook {
				by = byHook
			}
			d.resume(e, by)
		}
	}
}

// OTLP returns what records of OpenTelemetry tell of; now dates those without a time.
func (r *Receiver) OTLP(records []otlp.Record, now time.Time) []Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Received
	for i := range records {
		record := &records[i]
		position := fmt.Sprintf("otlp[%d]", i)
		if record.Err != nil {
			all = append(all, Received{Record{Err: record.Err, Raw: record.Raw, Position: position}, otelName})
			continue
		}
		in := r.readings[sourceOf(record)]
		record.Time = firstTime(record.Time, otlp.ParseTime(record.Attrs["event.timestamp"]), now)
		if record.Span && in.name != otelName {
			r.spans[in.name]++
		}
		for _, e := range in.otel(record) {
			got := Received{Record{Position: position}, in.name}
			if err := in.finish(&e, Options{Now: now}, wayLog); err != nil {
				got.Err, got.Raw = err, e.AppendJSON(nil)
			} else {
				got.Event = e
			}
			all = append(all, got)
		}
	}
	r.join(all)
	return all
}

// join finds what came on another way before.
func (r *Receiver) join(all []Received) {
	var told []*Event
	for i := range all {
		if all[i].Err == nil && all[i].Event.Told() {
			told = append(told, &all[i].Event)
		}
	}
	if len(told) > 0 && r.known != nil {
		r.twins.Join(told, r.known(Around(told)))
	}
}

// Around returns the sessions of events, and the time in which twins of theirs lie.
func Around(events []*Event) (sessions []string, from, to time.Time) {
	for _, e := range events {
		sessions = append(sessions, e.Session)
		if from.IsZero() || e.Time.Before(from) {
			from = e.Time
		}
		if e.Time.After(to) {
			to = e.Time
		}
	}
	slices.Sort(sessions)
	return slices.Compact(sessions), from.Add(-sameMoment), to.Add(sameMoment)
}

// SpansLeftOut returns how many spans of each agent's own were left out, since
// its log events tell the same, and more.
func (r *Receiver) SpansLeftOut() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.spans)
}

// Hook returns what the body of a hook of Claude Code tells of.
func (r *Receiver) Hook(body []byte, now time.Time) []Received {
	return r.json(claudeCodeName, body, now)
}

// CloudEvents returns what a CloudEvent in JSON, or a batch of them, tells of.
func (r *Receiver) CloudEvents(body []byte, now time.Time) []Received {
	return r.json(cloudEventsName, body, now)
}

func (r *Receiver) json(name string, body []byte, now time.Time) []Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.readings[name]
	in.near = now // what comes now happened now
	value := jsonValue{data: body, line: 1}
	if err := notJSON(body); err != nil {
		value.err = err
	}
	var all []Received
	for _, element := range value.elements() {
		for _, record := range in.records(element, Options{Name: name, Now: now}) {
			all = append(all, Received{record, name})
		}
	}
	r.join(all)
	return all
}

// sourceOf tells by names which agent sent a record.
func sourceOf(r *otlp.Record) string {
	service := strings.ToLower(r.Resource["service.name"])
	for _, name := range []string{r.Name, r.Body} {
		switch {
		case strings.HasPrefix(name, "claude_code."):
			return claudeCodeName
		case strings.HasPrefix(name, "codex."):
			return codexName
		case strings.HasPrefix(name, "gemini_cli."):
			return geminiName
		}
	}
	switch {
	case strings.HasPrefix(service, "claude-code"):
		return claudeCodeName
	case strings.HasPrefix(service, "codex"):
		return codexName
	case strings.HasPrefix(service, "gemini-cli"):
		return geminiName
	}
	return otelName
}
