package ingest

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkSession reads a session file in which one call of a hundred failed,
// as scan does.
func BenchmarkSession(b *testing.B) {
	var text bytes.Buffer
	output := bytes.Repeat([]byte("out "), 500)
	for i := range 1000 {
		fmt.Fprintf(&text, `{"sessionId":"s","version":"2.1.205","type":"assistant","uuid":"a%d","timestamp":"2026-01-16T09:00:00.000Z","requestId":"req_%d","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls %d"}}]}}`+"\n", i, i, i, i)
		fmt.Fprintf(&text, `{"sessionId":"s","version":"2.1.205","type":"user","uuid":"u%d","timestamp":"2026-01-16T09:00:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s","is_error":%t}]}}`+"\n", i, i, output, i%100 == 0)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		events := 0
		for r, err := range claudeCode.Read(bytes.NewReader(text.Bytes()), Options{Name: "f", Growing: true}) {
			if err != nil || r.Err != nil {
				b.Fatal(err, r.Err)
			}
			events++
		}
		if events != 10 {
			b.Fatalf("%d events, want 10", events)
		}
	}
}
