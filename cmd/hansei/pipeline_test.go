package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/ingest/stream"
)

// BenchmarkWorker is what the worker does with a batch between pull and ack,
// for events of about 320 bytes.
func BenchmarkWorker(b *testing.B) {
	store, err := analyze.Open(b.Context(), filepath.Join(b.TempDir(), "a.duckdb"), analyze.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	rules, err := openRules("", nil)
	if err != nil {
		b.Fatal(err)
	}
	p := &pipeline{store: store, rules: rules, log: slog.New(slog.DiscardHandler), stopping: b.Context()}
	const size = 20_000
	n := uint64(0)
	for b.Loop() {
		b.StopTimer()
		var messages []stream.Message
		position := ingest.Position{Stream: "S", Created: demoFrom, Sequence: n + size}
		for range size {
			n++
			messages = append(messages, stream.Message{Sequence: n, Arrived: demoFrom, Data: fmt.Appendf(nil,
				`{"id":"e%d","time":"%s","agent":"bot","operation":"fetch","session":"s%d","incident":"i%d","attempt":%d,"code":"429","message":"API Error: 429 rate_limit_error: Number of request tokens has exceeded your per-minute rate limit (request id req_%08x)","provider":"anthropic","model":"claude"}`,
				n, demoFrom.Add(time.Duration(n)*time.Second/10).Format(time.RFC3339Nano), n%100, n/2, n%2+1, n)})
		}
		b.StartTimer()
		if err := p.append(b.Context(), join(stream.Batch[part]{Parts: []part{p.prepare(messages)}, Position: position})); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// Who waits for a stream whose end was deleted before it was stored does not
// wait for that.
func TestCatchUpWithADeletedEnd(t *testing.T) {
	a := &app{streams: streams{out: io.Discard, err: io.Discard}, ctx: t.Context(), location: time.UTC, log: slog.New(slog.DiscardHandler),
		globals: globals{Data: t.TempDir(), Timezone: "UTC", Memory: "256MiB"}}
	f, err := lockFolder(t.Context(), a.Data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.openPipeline(f, pipelineOptions{threads: servingThreads, log: a.log, listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := publishAll(t.Context(), p.client, benchSource{events: 2, each: 1}.messages); err != nil {
		t.Fatal(err)
	}
	until, err := p.client.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	deleteMessage(t, p.client.URL(), until.Sequence)
	l := newLocal(t.Context(), p)
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := p.reach(ctx, until); err != nil {
		t.Fatal(err)
	}
	if got := p.stored().Sequence; got != until.Sequence-1 {
		t.Errorf("stored up to message %d, want %d", got, until.Sequence-1)
	}
}

// A batch that is being gathered is progress: the stream is not asked whether it
// holds more, since that makes it read a whole block.
func TestProgress(t *testing.T) {
	rules, err := openRules("", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &pipeline{rules: rules}
	before := p.progress()
	if p.progress() != before {
		t.Error("progress without messages")
	}
	p.prepare([]stream.Message{{Sequence: 1, Arrived: demoFrom, Data: benchEvent(0)}})
	if p.progress() == before {
		t.Error("no progress after a part was made")
	}
}

func deleteMessage(t *testing.T, url string, sequence uint64) {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), stream.Events)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteMsg(t.Context(), sequence); err != nil {
		t.Fatal(err)
	}
}
