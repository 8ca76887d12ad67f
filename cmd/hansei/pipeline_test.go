package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

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
