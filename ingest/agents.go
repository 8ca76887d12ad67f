package ingest

import (
	"bytes"
	"io"
	"iter"
	"time"

	"hansei/ingest/otlp"
)

// A dialect understands what one kind of agent writes. It remembers what later
// records need to know of earlier ones, such as the request under way, so each
// file has its own.
type dialect interface {
	// value returns what a JSON value tells of; nothing for a healthy one. A
	// record without a time happened at about fallback.
	value(data []byte, fallback time.Time) ([]Event, error)
	// otel does the same for a record of OpenTelemetry.
	otel(r *otlp.Record) []Event
}

// A reading is a dialect on its way through one input.
type reading struct {
	dialect
	name string    // of the format
	near time.Time // of the last event, for those without a time
}

// readDialect reads a file of JSON values in a dialect.
func readDialect(name string, begin func(resend bool) dialect) func(io.Reader, Options) iter.Seq2[Record, error] {
	return func(r io.Reader, o Options) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			in := reading{dialect: begin(false), name: name}
			for value, err := range values(r, o) {
				if err != nil {
					yield(Record{}, err)
					return
				}
				for _, record := range in.records(value, o) {
					if !yield(record, nil) {
						return
					}
				}
			}
		}
	}
}

// records returns the events of one value, and what is wrong with it.
func (in *reading) records(value jsonValue, o Options) []Record {
	position := o.at(value.line) + value.index
	bad := func(raw []byte, err error) Record {
		return Record{Err: err, Raw: bytes.Clone(raw[:min(len(raw), keepLine)]), Position: position}
	}
	if value.err != nil {
		return []Record{bad(value.data, value.err)}
	}
	var records []Record
	keep := func(raw []byte, events []Event) {
		for i := range events {
			if err := in.finish(&events[i], o); err != nil {
				records = append(records, bad(raw, err))
				continue
			}
			records = append(records, Record{Event: events[i], Position: position})
		}
	}
	fallback := firstTime(in.near, o.undated())
	if list, ok := telemetry(value.data); ok {
		for i := range list {
			if r := &list[i]; r.Err != nil {
				records = append(records, bad(r.Raw, r.Err))
			} else {
				r.Time = firstTime(r.Time, otlp.ParseTime(r.Attrs["event.timestamp"]), fallback)
				keep(value.data, in.otel(r))
			}
		}
		return records
	}
	events, err := in.value(value.data, fallback)
	if err != nil {
		return []Record{bad(value.data, err)}
	}
	keep(value.data, events)
	return records
}

// finish fills and checks an event of the dialect.
func (in *reading) finish(e *Event, o Options) error {
	e.Source = in.name
	e.tidy()
	if err := e.Finish(o.Now); err != nil {
		return err
	}
	in.near = e.Time
	return nil
}

// telemetry returns the records of a value that is a document of OTLP or a
// record that an SDK wrote; false for anything else.
func telemetry(value []byte) ([]otlp.Record, bool) {
	if otlp.IsDocument(value) {
		records, err := otlp.JSON(value)
		if err != nil {
			records = []otlp.Record{{Err: err, Raw: value}}
		}
		return records, true
	}
	r, ok := otlp.SDK(value)
	return []otlp.Record{r}, ok
}
