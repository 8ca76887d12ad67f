package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"hansei/analyze"
)

// benchCmd measures the program on the machine at hand, in a folder of its own
// that it removes again.
type benchCmd struct {
	Ingest benchIngestCmd `cmd:"" help:"How fast events are published, tagged and stored, beside the limits of DuckDB and JetStream alone."`
	Report benchReportCmd `cmd:"" help:"How long the report of a month takes over a year of events, and over that month alone."`
	Tune   benchTuneCmd   `cmd:"" help:"How long the tuner takes over a year of events, beside the making of their incidents."`
	Mixed  benchMixedCmd  `cmd:"" help:"How long the report and every page take, alone and while events come at half of the fastest rate."`
}

// A benchResult is one line of a benchmark.
type benchResult struct {
	name   string
	events int
	took   time.Duration
	cpu    time.Duration // of the whole process
	memory int64         // MiB that the process held at most, what is measured with included
}

func (m *benchResult) rate() float64 { return float64(m.events) / m.took.Seconds() }

// measured runs f and takes its time, by the clock and of the processors, and
// its memory.
func measured(name string, events int, f func() error) (benchResult, error) {
	debug.FreeOSMemory() // what came before
	forgetPeak()
	cpu, start := cpuTime(), time.Now()
	err := f()
	return benchResult{name: name, events: events, took: time.Since(start), cpu: cpuTime() - cpu, memory: peakMemory()}, err
}

// cpuTime is what the process has used of the processors.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// forgetPeak makes Linux count the peak of the memory anew.
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) } // elsewhere the peak is that of the whole run

// peakMemory is the most that the process has held, in MiB.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status") // Linux only
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		var kib int64
		if _, err := fmt.Sscan(rest, &kib); err == nil {
			return kib >> 10
		}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss >> 10 // KiB where it is not bytes
}

// printResults prints a table of rates; ratio is against the first line.
func printResults(w io.Writer, list []benchResult) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "what\tevents/s\tof DuckDB alone\tµs of CPU an event\tseconds\tpeak MiB\t")
	for i := range list {
		m := &list[i]
		fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.1f\t%.1f\t%d\t\n", m.name, m.rate(), m.rate()/list[0].rate(),
			float64(m.cpu.Microseconds())/float64(m.events), m.took.Seconds(), m.memory)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "rows reach DuckDB by %s\n", analyze.Staging)
	return err
}

// inBenchFolder runs f with a data folder that is removed afterwards. A data
// folder that was named is used as the place for it: the disk matters.
func (a *app) inBenchFolder(f func(a *app) error) (err error) {
	parent := ""
	if a.Data != "hansei-data" {
		parent = a.Data
		if err := os.MkdirAll(parent, 0o755); err != nil {
			return fmt.Errorf("data folder %s: %w; choose a folder that you may write with --data", parent, err)
		}
	}
	folder, err := os.MkdirTemp(parent, "hansei-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	inside := *a
	inside.Data = cmp.Or(folder, a.Data)
	return f(&inside)
}

// middle returns the median of what was measured; of two the later one.
func middle[T any](runs []T, compare func(a, b T) int) T {
	slices.SortFunc(runs, compare)
	return runs[len(runs)/2]
}

// profile writes to the file called path, unless that is empty, what the
// processors do until stop is called.
func profile(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}
