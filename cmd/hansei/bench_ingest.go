package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

type benchIngestCmd struct {
	Events int    `help:"How many events each measurement takes (default ${default})." default:"500000"`
	Array  int    `help:"Events of a message where they come in arrays (default ${default})." default:"100"`
	Sync   string `help:"When messages are forced to disk: every second, or always, before each is acknowledged (default ${default})." enum:"second,always" default:"second"`

	Only    string `help:"Measure only the line of this name."`
	Profile string `help:"A file for the CPU profile, in the form of go tool pprof." type:"path"`
}

// Run measures the parts alone, then the whole way.
func (c *benchIngestCmd) Run(a *app) (err error) {
	if c.Events < 1 || c.Array < 1 || c.Array > ingest.MaxArray {
		return usageError{fmt.Errorf("--events %d --array %d: want at least 1 event, and arrays of 1 to %d", c.Events, c.Array, ingest.MaxArray)}
	}
	stop, err := profile(c.Profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	single, arrays := benchSource{events: c.Events, each: 1}, benchSource{events: c.Events, each: c.Array}
	var list []benchResult
	for _, step := range []struct {
		name string
		run  func(a *app, name string) (benchResult, error)
	}{
		{"DuckDB alone", func(a *app, name string) (benchResult, error) { return benchStore(a, name, single, false) }},
		{"writer alone", func(a *app, name string) (benchResult, error) { return benchStore(a, name, single, true) }},
		{"JetStream alone, an event a message", func(a *app, name string) (benchResult, error) { return c.stream(a, name, single) }},
		{"JetStream alone, in arrays", func(a *app, name string) (benchResult, error) { return c.stream(a, name, arrays) }},
		{"stored while published", func(a *app, name string) (benchResult, error) { return c.pipeline(a, name, single, false) }},
		{"stored from a backlog", func(a *app, name string) (benchResult, error) { return c.pipeline(a, name, single, true) }},
		{"stored while published in arrays", func(a *app, name string) (benchResult, error) { return c.pipeline(a, name, arrays, false) }},
		{"stored from a backlog of arrays", func(a *app, name string) (benchResult, error) { return c.pipeline(a, name, arrays, true) }},
	} {
		if c.Only != "" && c.Only != step.name {
			continue
		}
		err := a.inBenchFolder(func(a *app) error {
			m, err := step.run(a, step.name)
			list = append(list, m)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(a.out, "%d events of %d bytes\n", c.Events, len(benchEvent(0)))
	return printResults(a.out, list)
}

// A benchMessage is the JSON of some events.
type benchMessage struct {
	id     string
	data   []byte
	events int
}

// A benchSource makes messages of events of a usual size, about 320 bytes: one
// fleet's failures of a few kinds, of which every second one is the last try.
type benchSource struct {
	events int
	each   int       // of a message
	first  int       // number of the first event
	from   time.Time // of event number first; zero: the demo's first day
}

func (s benchSource) messages(yield func(benchMessage) bool) {
	from := s.from
	if from.IsZero() {
		from = demoFrom
	}
	for n := 0; n < s.events; n += s.each {
		m := benchMessage{id: fmt.Sprintf("m%d-%d", s.each, s.first+n), events: min(s.each, s.events-n)}
		var b bytes.Buffer
		for i := n; i < n+m.events; i++ {
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			b.Write(benchEventAt(s.first+i, from.Add(time.Duration(i)*benchStep)))
		}
		m.data = b.Bytes()
		if s.each > 1 {
			m.data = append(append([]byte{'['}, m.data...), ']')
		}
		if !yield(m) {
			return
		}
	}
}

var benchKinds = []struct{ code, message string }{
	{"429", "API Error: 429 rate_limit_error: Number of request tokens has exceeded your per-minute rate limit (request id req_%08x)"},
	{"529", "API Error: 529 overloaded_error: Overloaded, the request was not started (request id req_%08x)"},
	{"ETIMEDOUT", "connect ETIMEDOUT 10.2.%d.17:443 while calling the tool's endpoint, no answer arrived before the limit"},
	{"FILE_NOT_FOUND", "ENOENT: no such file or directory, open 'out/run-%d/summary.json' (the step before wrote nothing)"},
}

// benchStep is the time between two events.
const benchStep = 5 * time.Millisecond

func benchEvent(i int) []byte { return benchEventAt(i, demoFrom.Add(time.Duration(i)*benchStep)) }

func benchEventAt(i int, moment time.Time) []byte {
	kind := benchKinds[i/2%len(benchKinds)]
	at := moment.Format(time.RFC3339Nano)
	b := fmt.Appendf(nil, `{"id":"bench-%09d","time":"%s","agent":"agent-%d","session":"s-%d","operation":"fetch","incident":"i-%d","attempt":%d,"code":"%s","message":"`,
		i, at, i/2%7, i/50, i/2, i%2+1, kind.code)
	b = fmt.Appendf(b, kind.message, i)
	return append(b, `","provider":"anthropic","model":"claude-sonnet"}`...)
}

// benchStore appends rows that are decoded and tagged already: DuckDB alone,
// or with the duplicate check and the books as the worker does.
func benchStore(a *app, name string, source benchSource, whole bool) (benchResult, error) {
	rules, err := openRules("", nil)
	if err != nil {
		return benchResult{}, err
	}
	p := &pipeline{rules: rules}
	var parts []*analyze.Part
	var list []stream.Message
	sequence := uint64(0)
	for m := range source.messages {
		sequence++
		list = append(list, stream.Message{Sequence: sequence, Arrived: demoFrom, Data: m.data})
		if len(list) == benchPart || len(list) == source.events%benchPart && int(sequence) == source.events {
			parts, list = append(parts, p.prepare(list).rows), nil
		}
	}
	store, err := analyze.Open(a.ctx, filepath.Join(a.Data, "bench.duckdb"), analyze.Options{Memory: a.Memory, Threads: servingThreads})
	if err != nil {
		return benchResult{}, err
	}
	keep := store.AppendUnchecked
	if whole {
		keep = func(ctx context.Context, b analyze.Batch) error { _, err := store.Append(ctx, b); return err }
	}
	m, err := measured(name, source.events, func() error {
		for n := 0; n < len(parts); n += analyze.RowGroup / benchPart {
			some := parts[n:min(n+analyze.RowGroup/benchPart, len(parts))]
			position := ingest.Position{Stream: "bench", Created: demoFrom, Sequence: uint64((n + len(some)) * benchPart)}
			if err := keep(a.ctx, analyze.Batch{Position: position, Parts: some}); err != nil {
				return err
			}
		}
		return nil
	})
	return m, errors.Join(err, store.Close())
}

// benchPart is how many events a part has, as in a batch of the worker: a row
// group is so many.
const benchPart = analyze.RowGroup / 15

// stream publishes to JetStream with nobody reading.
func (c *benchIngestCmd) stream(a *app, name string, source benchSource) (benchResult, error) {
	client, err := stream.Open(a.ctx, stream.Options{Dir: a.Data, Log: a.log, SyncAlways: c.Sync == syncAlways})
	if err != nil {
		return benchResult{}, err
	}
	defer client.Close()
	messages := slices.Values(slices.Collect(source.messages))
	return measured(name, source.events, func() error { return publishAll(a.ctx, client, messages) })
}

func publishAll(ctx context.Context, client *stream.Client, messages iter.Seq[benchMessage]) error {
	p := client.NewPublisher()
	for m := range messages {
		if err := p.PublishJSON(ctx, "bench", m.id, m.data, m.events); err != nil {
			return err
		}
	}
	_, err := p.Flush(ctx)
	return err
}

// pipeline takes events the whole way: published, tagged, stored. From a
// backlog only the way out of the stream is measured. The closing of what was
// opened is not, as it is not of DuckDB alone.
func (c *benchIngestCmd) pipeline(a *app, name string, source benchSource, backlog bool) (benchResult, error) {
	folder, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return benchResult{}, err
	}
	p, err := a.openPipeline(folder, pipelineOptions{threads: servingThreads, log: a.log, sync: c.Sync})
	if err != nil {
		return benchResult{}, err
	}
	messages := source.messages
	if backlog {
		if err := publishAll(a.ctx, p.client, messages); err != nil {
			return benchResult{}, errors.Join(err, p.Close())
		}
	} else {
		messages = slices.Values(slices.Collect(messages)) // made before, and not measured
	}
	var l *local
	m, err := measured(name, source.events, func() error {
		l = newLocal(a.ctx, p)
		if !backlog {
			if err := publishAll(a.ctx, p.client, messages); err != nil {
				return err
			}
		}
		return p.catchUp(a.ctx)
	})
	if err == nil {
		err = p.holds(a.ctx, source.events)
	}
	return m, errors.Join(err, l.Close())
}

// holds says whether the books and the store tell of so many events.
func (p *pipeline) holds(ctx context.Context, events int) error {
	books, err := queries.Books(ctx, p.store.Reader(), queries.Always())
	if err == nil && (int(books.Stored) != events || int(books.Rows) != events) {
		err = fmt.Errorf("%d events published, %d booked as stored, %d rows", events, books.Stored, books.Rows)
	}
	return err
}
