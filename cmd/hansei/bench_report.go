package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/ingest/stream"
	"hansei/queries"
)

type benchReportCmd struct {
	Events int `help:"Events of the year (default ${default})." default:"10000000"`
	Runs   int `help:"How often each report is made; the middle time counts (default ${default})." default:"3"`

	Threads int `help:"Threads that a statement is spread over (0: all; serve has 1)." default:"0"`
}

// benchMonths is how many months the history of the benchmark has.
const benchMonths = 12

// Run makes the report of the last month over a year and over itself.
func (c *benchReportCmd) Run(a *app) error {
	if c.Events < benchMonths || c.Runs < 1 || c.Threads < 0 {
		return usageError{fmt.Errorf("--events %d --runs %d --threads %d: want at least %d events and 1 run", c.Events, c.Runs, c.Threads, benchMonths)}
	}
	var year, month reportTimes
	for _, h := range []struct {
		into   *reportTimes
		months int
	}{{&year, benchMonths}, {&month, 1}} {
		err := a.inBenchFolder(func(a *app) (err error) {
			*h.into, err = c.measure(a, h.months)
			return err
		})
		if err != nil {
			return err
		}
	}
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "what\ta year of %d events\tthe last month alone\tratio\t\n", year.events)
	for _, row := range []struct {
		name        string
		year, month time.Duration
	}{
		{"incidents made of all events", year.refresh, month.refresh},
		{"report of the last month", year.report, month.report},
		{"its tables by code and six others", year.tables, month.tables},
		{"store opened", year.open, month.open},
	} {
		fmt.Fprintf(table, "%s\t%v\t%v\t%.2f\t\n", row.name, row.year.Round(time.Millisecond), row.month.Round(time.Millisecond), row.year.Seconds()/row.month.Seconds())
	}
	fmt.Fprintf(table, "bytes an event on disk\t%d\t%d\t\t\n", year.size/int64(year.events), month.size/int64(month.events))
	return table.Flush()
}

// reportTimes is what one history was measured at.
type reportTimes struct {
	events                        int
	size                          int64
	refresh, report, tables, open time.Duration
}

func (c *benchReportCmd) measure(a *app, months int) (r reportTimes, err error) {
	path := filepath.Join(a.Data, "bench.duckdb")
	r.events = c.Events * months / benchMonths
	store, err := analyze.Open(a.ctx, path, analyze.Options{Memory: a.Memory})
	if err != nil {
		return r, err
	}
	err = fillHistory(a.ctx, store, r.events, demoFrom.AddDate(0, benchMonths-months, 0), months)
	if err == nil {
		start := time.Now()
		err = store.Refresh(a.ctx)
		r.refresh = time.Since(start)
	}
	if err := errors.Join(err, store.Close()); err != nil {
		return r, err
	}
	start := time.Now()
	if store, err = analyze.Open(a.ctx, path, analyze.Options{Memory: a.Memory, Threads: c.Threads}); err != nil {
		return r, err
	}
	r.open, r.size = time.Since(start), store.Size()
	p := &pipeline{store: store}
	last := demoFrom.AddDate(0, benchMonths-1, 0)
	r.report, err = c.middle(func() error {
		return answerReport(a.ctx, p, url.Values{"month": {last.Format("2006-01")}, "format": {"html"}}, new(bytes.Buffer))
	})
	if err == nil {
		r.tables, err = c.middle(func() error {
			_, err := queries.Breakdown(a.ctx, store.Reader(), queries.Month(last.Year(), last.Month(), time.UTC))
			return err
		})
	}
	return r, errors.Join(err, store.Close())
}

// middle is the middle time that f takes.
func (c *benchReportCmd) middle(f func() error) (time.Duration, error) {
	var runs []time.Duration
	for range c.Runs {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		runs = append(runs, time.Since(start))
	}
	return middle(runs, cmp.Compare), nil
}

// fillHistory stores events spread over so many months: incidents of two
// attempts, of which two in three are resolved.
func fillHistory(ctx context.Context, store *analyze.Store, events int, from time.Time, months int) error {
	rules, err := openRules("", nil)
	if err != nil {
		return err
	}
	p := &pipeline{rules: rules}
	step := from.AddDate(0, months, 0).Sub(from) / time.Duration(events)
	for n := 0; n < events; n += analyze.RowGroup {
		var list []stream.Message
		for i := n; i < min(n+analyze.RowGroup, events); i++ {
			list = append(list, stream.Message{Sequence: uint64(i + 1), Data: benchEvent(i)})
		}
		packer := analyze.NewPacker()
		p.read(list, func(r *analyze.Row) {
			r.Event.Time = from.Add(time.Duration(r.Sequence) * step)
			if i := int(r.Sequence) - 1; i%2 == 1 && i/2%3 != 0 { // the retry of two incidents in three passes
				r.Event.Kind, r.Tag.Resolution = ingest.Success, "retried"
			}
			packer.Add(r)
		})
		batch := analyze.Batch{Parts: []*analyze.Part{packer.Part()}}
		batch.Position.Sequence = uint64(n + len(list))
		if err := store.AppendUnchecked(ctx, batch); err != nil {
			return fmt.Errorf("history of %s events: %w", strconv.Itoa(events), err)
		}
	}
	return nil
}
