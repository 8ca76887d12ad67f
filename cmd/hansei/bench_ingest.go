package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

type benchIngestCmd struct {
	Events int `help:"How many events each measurement takes (default ${default})." default:"500000"`
	Array  int `help:"Events of a message where they come in arrays (default ${default})." default:"100"`
}

// Run measures the parts alone, then the whole way.
func (c *benchIngestCmd) Run(a *app) error {
	if c.Events < 1 || c.Array < 1 || c.Array > ingest.MaxArray {
		return usageError{fmt.Errorf("--events %d --array %d: want at least 1 event, and arrays of 1 to %d", c.Events, c.Array, ingest.MaxArray)}
	}
	single, arrays := benchMessages(c.Events, 1), benchMessages(c.Events, c.Array)
	var list []benchResult
	for _, step := range []func(*app) (benchResult, error){
		func(a *app) (benchResult, error) { return benchStore(a, single, false) },
		func(a *app) (benchResult, error) { return benchStore(a, single, true) },
		func(a *app) (benchResult, error) {
			return benchStream(a, "JetStream alone, an event a message", single)
		},
		func(a *app) (benchResult, error) { return benchStream(a, "JetStream alone, in arrays", arrays) },
		func(a *app) (benchResult, error) { return benchPipeline(a, "stored while published", single, false) },
		func(a *app) (benchResult, error) { return benchPipeline(a, "stored from a backlog", single, true) },
		func(a *app) (benchResult, error) {
			return benchPipeline(a, "stored while published in arrays", arrays, false)
		},
		func(a *app) (benchResult, error) {
			return benchPipeline(a, "stored from a backlog of arrays", arrays, true)
		},
	} {
		err := a.inBenchFolder(func(a *app) error {
			m, err := step(a)
			list = append(list, m)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(a.out, "%d events of %d bytes\n", c.Events, len(single[0].data))
	return printResults(a.out, list)
}

// A benchMessage is the JSON of some events.
type benchMessage struct {
	id     string
	data   []byte
	events int
}

// benchMessages makes messages of events of a usual size, about 320 bytes: one
// fleet's failures of a few kinds, of which every second one is the last try.
func benchMessages(events, each int) []benchMessage {
	var out []benchMessage
	for n := 0; n < events; n += each {
		m := benchMessage{id: fmt.Sprintf("m%d-%d", each, n), events: min(each, events-n)}
		var b bytes.Buffer
		for i := n; i < n+m.events; i++ {
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			b.Write(benchEvent(i))
		}
		m.data = b.Bytes()
		if each > 1 {
			m.data = append(append([]byte{'['}, m.data...), ']')
		}
		out = append(out, m)
	}
	return out
}

var benchKinds = []struct{ code, message string }{
	{"429", "API Error: 429 rate_limit_error: Number of request tokens has exceeded your per-minute rate limit (request id req_%08x)"},
	{"529", "API Error: 529 overloaded_error: Overloaded, the request was not started (request id req_%08x)"},
	{"ETIMEDOUT", "connect ETIMEDOUT 10.2.%d.17:443 while calling the tool's endpoint, no answer arrived before the limit"},
	{"FILE_NOT_FOUND", "ENOENT: no such file or directory, open 'out/run-%d/summary.json' (the step before wrote nothing)"},
}

func benchEvent(i int) []byte {
	kind := benchKinds[i/2%len(benchKinds)]
	at := demoFrom.Add(time.Duration(i) * 5 * time.Millisecond).Format(time.RFC3339Nano)
	b := fmt.Appendf(nil, `{"id":"bench-%09d","time":"%s","agent":"agent-%d","session":"s-%d","operation":"fetch","incident":"i-%d","attempt":%d,"code":"%s","message":"`,
		i, at, i/2%7, i/50, i/2, i%2+1, kind.code)
	b = fmt.Appendf(b, kind.message, i)
	return append(b, `","provider":"anthropic","model":"claude-sonnet"}`...)
}

// benchStore appends rows that are decoded and tagged already: DuckDB alone,
// or with the duplicate check and the books as the worker does.
func benchStore(a *app, messages []benchMessage, whole bool) (benchResult, error) {
	rules, err := openRules("", nil)
	if err != nil {
		return benchResult{}, err
	}
	p := &pipeline{rules: rules}
	list := make([]stream.Message, len(messages))
	for i := range messages {
		list[i] = stream.Message{Sequence: uint64(i + 1), Arrived: demoFrom, Data: messages[i].data}
	}
	rows := p.prepare(list).rows
	store, err := analyze.Open(a.ctx, filepath.Join(a.Data, "bench.duckdb"), analyze.Options{Memory: a.Memory})
	if err != nil {
		return benchResult{}, err
	}
	name, keep := "DuckDB alone", store.AppendUnchecked
	if whole {
		name = "writer alone"
		keep = func(ctx context.Context, b analyze.Batch) error { _, err := store.Append(ctx, b); return err }
	}
	m, err := measured(name, len(rows), func() error {
		for n := 0; n < len(rows); n += analyze.RowGroup {
			part := rows[n:min(n+analyze.RowGroup, len(rows))]
			position := ingest.Position{Stream: "bench", Created: demoFrom, Sequence: part[len(part)-1].Sequence}
			if err := keep(a.ctx, analyze.Batch{Position: position, Rows: part}); err != nil {
				return err
			}
		}
		return nil
	})
	return m, errors.Join(err, store.Close())
}

// benchStream publishes to JetStream with nobody reading.
func benchStream(a *app, name string, messages []benchMessage) (benchResult, error) {
	client, err := stream.Open(a.ctx, stream.Options{Dir: a.Data, Log: a.log})
	if err != nil {
		return benchResult{}, err
	}
	defer client.Close()
	return measured(name, countEvents(messages), func() error { return publishAll(a.ctx, client, messages) })
}

func countEvents(messages []benchMessage) int {
	n := 0
	for i := range messages {
		n += messages[i].events
	}
	return n
}

func publishAll(ctx context.Context, client *stream.Client, messages []benchMessage) error {
	p := client.NewPublisher()
	for i := range messages {
		m := &messages[i]
		if err := p.PublishJSON(ctx, "bench", m.id, m.data, m.events); err != nil {
			return err
		}
	}
	_, err := p.Flush(ctx)
	return err
}

// benchPipeline takes events the whole way: published, tagged, stored. From a
// backlog only the way out of the stream is measured.
func benchPipeline(a *app, name string, messages []benchMessage, backlog bool) (benchResult, error) {
	folder, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return benchResult{}, err
	}
	p, err := a.openPipeline(folder, pipelineOptions{log: a.log})
	if err != nil {
		return benchResult{}, err
	}
	if backlog {
		if err := publishAll(a.ctx, p.client, messages); err != nil {
			return benchResult{}, errors.Join(err, p.Close())
		}
	}
	events := countEvents(messages)
	m, err := measured(name, events, func() error {
		l := newLocal(a.ctx, p)
		if !backlog {
			if err := publishAll(a.ctx, p.client, messages); err != nil {
				return errors.Join(err, l.Close())
			}
		}
		err := p.catchUp(a.ctx)
		if err == nil {
			err = p.holds(a.ctx, events)
		}
		return errors.Join(err, l.Close())
	})
	return m, err
}

// holds says whether the books and the store tell of so many events.
func (p *pipeline) holds(ctx context.Context, events int) error {
	always := queries.Span{From: time.Unix(0, 0), To: time.Unix(1<<33, 0), Location: time.UTC}
	books, err := queries.Books(ctx, p.store.Reader(), always)
	if err == nil && (int(books.Stored) != events || int(books.Rows) != events) {
		err = fmt.Errorf("%d events published, %d booked as stored, %d rows", events, books.Stored, books.Rows)
	}
	return err
}
