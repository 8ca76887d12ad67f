package main

import (
	"testing"

	"hansei/ingest/stream"
)

// BenchmarkPrepare measures what an event costs before the store: decoding,
// scrubbing and tagging.
func BenchmarkPrepare(b *testing.B) {
	rules, err := openRules("", nil)
	if err != nil {
		b.Fatal(err)
	}
	p := &pipeline{rules: rules}
	var messages []stream.Message
	for i := range 10_000 {
		messages = append(messages, stream.Message{Sequence: uint64(i + 1), Arrived: demoFrom, Data: benchEvent(i)})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n := i % len(messages)
		p.prepare(messages[n : n+1])
	}
}
