package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"strconv"
	"time"

	"hansei/ingest/otlp"
)

// A dialect understands what one kind of agent writes. It remembers what later
// records need to know of earlier ones, such as the request under way, so each
// file has its own.
type dialect interface {
	// value returns what a JSON value tells of; nothing for a healthy one.
	value(data []byte, o origin) ([]Event, error)
	// otel does the same for a record of OpenTelemetry.
	otel(r *otlp.Record) []Event
}

// An origin stands in for what a record does not say of itself.
type origin struct {
	time time.Time // about when it was written
	id   func() string
}

// date gives e its own time, or else a time and an id that do not depend on
// when the file is read.
func (o origin) date(e *Event, own string) {
	if e.Time = otlp.ParseTime(own); !e.Time.IsZero() {
		return
	}
	e.Time = o.time
	if o.id != nil {
		e.ID = o.id()
	}
}

// A reading is a dialect on its way through one input.
type reading struct {
	dialect
	name string         // of the format
	near time.Time      // of the last event, for those without a time
	seen map[string]int // how often each line was seen that has no id
	live bool           // it comes as it happens: its time identifies it
}

// lineID is an id of the nth line with this text.
func (in *reading) lineID(line []byte) string {
	sum := sha256.Sum256(line)
	id := hex.EncodeToString(sum[:12])
	if in.seen == nil {
		in.seen = map[string]int{}
	}
	in.seen[id]++
	return stableID(in.name, "line", id, strconv.Itoa(in.seen[id]))
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

// keepSession is what is kept of a broken record of a session: enough to find
// it; the rest is what its user and the model said.
const keepSession = 160

// records returns the events of one value, and what is wrong with it.
func (in *reading) records(value jsonValue, o Options) []Record {
	position := o.at(value.line) + value.index
	most := keepLine
	if o.Growing {
		most = keepSession
	}
	bad := func(raw []byte, err error) Record {
		return Record{Err: err, Raw: bytes.Clone(raw[:min(len(raw), most)]), Position: position}
	}
	if value.err != nil {
		return []Record{bad(value.data, value.err)}
	}
	var records []Record
	keep := func(raw []byte, events []Event, way string) {
		for i := range events {
			if err := in.finish(&events[i], o, way); err != nil {
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
				keep(value.data, in.otel(r), wayLog)
			}
		}
		return records
	}
	from := origin{time: fallback}
	if !in.live {
		from.id = func() string { return in.lineID(value.data) }
	}
	events, err := in.value(value.data, from)
	if err != nil {
		return []Record{bad(value.data, err)}
	}
	keep(value.data, events, wayLine)
	return records
}

// finish fills and checks an event of the dialect, which came on way.
func (in *reading) finish(e *Event, o Options, way string) error {
	e.Source = in.name
	e.tidy()
	e.fit()
	if err := e.Finish(o.Now); err != nil {
		return err
	}
	e.tell(way) // behind Finish: the id of an event does not depend on it
	e.fit()
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
