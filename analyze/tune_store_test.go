package analyze

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"hansei/classify"
	"hansei/ingest"
)

// BenchmarkTuneStore is tune over a store on disk, reading included: 500 cells,
// three events an incident; 100,000 events, or a million with
// HANSEI_TEST_LONG=1. The figure of use is cpu-ns/event: the clock counts the
// neighbours too.
func BenchmarkTuneStore(b *testing.B) {
	events := 100_000
	if os.Getenv("HANSEI_TEST_LONG") != "" {
		events = 1_000_000
	}
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "bench.duckdb"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	r := rand.New(rand.NewPCG(2026, 3))
	for n := 0; n < events; n += RowGroup {
		to := min(n+RowGroup, events)
		batch := Batch{Position: ingest.Position{Sequence: uint64(to)}, Parts: []*Part{fleetPart(r, n, to, events)}}
		if err := s.AppendUnchecked(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	db, err := s.Current(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	before := cpuTime()
	for b.Loop() {
		t, err := Tune(b.Context(), db, month, TuneOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if len(t.Suggestions) < 500 {
			b.Fatalf("%d suggestions for 500 cells", len(t.Suggestions))
		}
	}
	b.ReportMetric(float64(cpuTime()-before)/float64(b.N)/float64(events), "cpu-ns/event")
}

// fleetPart makes the events [from, to) of a month of so many.
func fleetPart(r *rand.Rand, from, to, events int) *Part {
	k := NewPacker()
	for i := from; i < to; i++ {
		incident, attempt := i/3, i%3+1
		cell := incident * 7919 % 500
		e := ingest.Event{
			ID: fmt.Sprint("e", i), Kind: ingest.Failure, Agent: fmt.Sprint("agent", cell%20), Operation: fmt.Sprint("operation", cell/20), Incident: fmt.Sprint("run-", incident),
			Time:    month.From.Add(time.Duration(incident) * 30 * 24 * time.Hour / time.Duration(events/3+1)).Add(time.Duration(attempt*attempt*(5000+r.IntN(5000))) * time.Millisecond),
			Attempt: ingest.Some(int64(attempt)), MaxRetries: ingest.Some[int64](2), WaitMS: ingest.Some(int64(attempt * 5000)), DurationMS: ingest.Some(int64(r.IntN(2000))),
			Code: "429", Message: "Too Many Requests", Source: "hansei",
		}
		tag := classify.Tag{Category: "rate_limit", Taxonomy: "transient", Retryable: true}
		if attempt == 3 {
			e.Kind, tag = ingest.Success, classify.Tag{Resolution: "retried"}
			if r.IntN(3) == 0 {
				e.Kind, tag = ingest.Failure, classify.Tag{Category: "rate_limit", Taxonomy: "transient", Retryable: true}
			}
		}
		k.Add(&Row{Sequence: uint64(i + 1), Event: &e, Tag: tag})
	}
	return k.Part()
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
