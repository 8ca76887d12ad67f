package main

import (
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"hansei/analyze"
)

// benchPageEvents is how many events of a year BenchmarkPages has.
var benchPageEvents = flag.Int("page-events", 100_000, "events of BenchmarkPages")

// BenchmarkPages asks every page of the last month of a year of events, with
// nothing in memory: CPU of one answer, of which DuckDB uses all cores.
func BenchmarkPages(b *testing.B) {
	store, err := analyze.Open(b.Context(), filepath.Join(b.TempDir(), "a.duckdb"), analyze.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	if err := fillHistory(b.Context(), store, *benchPageEvents, demoFrom, benchMonths); err != nil {
		b.Fatal(err)
	}
	if err := store.Refresh(b.Context()); err != nil {
		b.Fatal(err)
	}
	rules, err := openRules("", nil)
	if err != nil {
		b.Fatal(err)
	}
	a := &app{globals: globals{Timezone: "UTC"}, ctx: b.Context(), location: time.UTC}
	p := &pipeline{store: store, rules: rules, log: slog.New(slog.DiscardHandler)}
	last := demoFrom.AddDate(0, benchMonths-1, 0).Format("2006-01")
	for _, address := range []string{"/", "/incidents", "/incidents?text=timeout", "/incidents?text=no+such+text", "/incident?of=agent-3&id=i-3", fmt.Sprintf("/incident?of=agent-3&id=i-3&at=%d", demoFrom.Add(time.Hour).UnixMicro()), "/faults?month=" + last, "/rules?message=429", "/sources", "/live", "/report?month=" + last, "/suggestions?month=" + last} {
		ask := func(b *testing.B, handler http.Handler) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://127.0.0.1"+address, nil))
			if w.Code != http.StatusOK {
				b.Fatalf("%s: %d %s", address, w.Code, w.Body)
			}
		}
		b.Run(address+" first", func(b *testing.B) {
			var used time.Duration
			for b.Loop() {
				pages := a.pages(p)
				handler := a.handler(p, pages)
				before := cpu(b)
				ask(b, handler)
				used += cpu(b) - before
				pages.Close()
			}
			b.ReportMetric(float64(used.Milliseconds())/float64(b.N), "ms-cpu/op")
		})
		b.Run(address+" again", func(b *testing.B) {
			pages := a.pages(p)
			defer pages.Close()
			handler := a.handler(p, pages)
			ask(b, handler)
			before := cpu(b)
			for b.Loop() {
				ask(b, handler)
			}
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/1000/float64(b.N), "ms-cpu/op")
		})
	}
}

// cpu is what this process has used so far.
func cpu(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(fmt.Errorf("getrusage: %w", err))
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
