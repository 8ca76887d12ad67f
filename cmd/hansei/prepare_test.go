package main

import (
	"runtime"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/ingest/stream"
)

// BenchmarkPrepare measures what an event costs before the store: decoding,
// scrubbing, tagging and packing of a part. The processors' time is the one to
// go by on a busy machine.
func BenchmarkPrepare(b *testing.B) {
	rules, err := openRules("", nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, kind := range []struct {
		name string
		each int
	}{{"single", 1}, {"arrays", 100}} {
		b.Run(kind.name, func(b *testing.B) {
			p := &pipeline{rules: rules, packers: make(chan *analyze.Packer, runtime.GOMAXPROCS(0))}
			var messages []stream.Message
			for m := range (benchSource{events: benchPart, each: kind.each}).messages {
				messages = append(messages, stream.Message{Sequence: uint64(len(messages) + 1), Arrived: demoFrom, Data: m.data})
			}
			b.ReportAllocs()
			used := cpuTime()
			for b.Loop() {
				p.prepare(messages)
			}
			events := float64(b.N * benchPart)
			b.ReportMetric(float64(cpuTime()-used)/float64(time.Nanosecond)/events, "ns-cpu/event")
		})
	}
}
