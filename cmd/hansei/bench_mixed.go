package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"hansei/analyze"
	"hansei/ingest"
	"hansei/queries"
)

type benchMixedCmd struct {
	Events int    `help:"Events of the year that is stored before (default ${default})." default:"1000000"`
	Store  string `help:"Store to measure a copy of, instead of making a year of events." placeholder:"FILE"`
	Load   int    `help:"How many events the fastest rate is measured with (default ${default})." default:"200000"`
	Array  int    `help:"Events of a message (default ${default})." default:"100"`
	Runs   int    `help:"How often each question is asked (default ${default})." default:"100"`
}

// Run asks for the report and for every page: for the first time after a start,
// then while nothing comes, then while events come at half of the rate that was
// the fastest just before.
func (c *benchMixedCmd) Run(a *app) error {
	if c.Events < benchMonths || c.Load < 1 || c.Runs < 1 || c.Array < 1 || c.Array > ingest.MaxArray {
		return usageError{fmt.Errorf("--events %d --load %d --runs %d --array %d: want at least %d events, 1 of load and 1 run, and arrays of 1 to %d",
			c.Events, c.Load, c.Runs, c.Array, benchMonths, ingest.MaxArray)}
	}
	return a.inBenchFolder(func(a *app) error {
		folder, err := lockFolder(a.ctx, a.Data)
		if err != nil {
			return err
		}
		if err := c.fill(a, folder.store()); err != nil {
			return errors.Join(err, folder.Close())
		}
		p, err := a.openPipeline(folder, pipelineOptions{threads: servingThreads, log: a.log})
		if err != nil {
			return err
		}
		l := newLocal(a.ctx, p)
		return errors.Join(c.measure(a, p), l.Close())
	})
}

// fill makes the store that is measured.
func (c *benchMixedCmd) fill(a *app, path string) error {
	if c.Store != "" {
		return copyFile(path, c.Store)
	}
	store, err := analyze.Open(a.ctx, path, analyze.Options{Memory: a.Memory})
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	err = fillHistory(a.ctx, store, c.Events, month.AddDate(0, -benchMonths, 0), benchMonths)
	return errors.Join(err, store.Close())
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("--store: %w", err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func (c *benchMixedCmd) measure(a *app, p *pipeline) error {
	before, err := queries.Books(a.ctx, p.store.Reader(), queries.Always())
	if err != nil {
		return err
	}
	start := time.Now()
	if err := p.store.Refresh(a.ctx); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "incidents of %d events made in %v\n", before.Rows, time.Since(start).Round(time.Millisecond))
	pages := a.pages(p)
	defer pages.Close()
	questions, err := benchQuestions(a.ctx, p, a.handler(p, pages))
	if err != nil {
		return err
	}
	m := mixedTimes{questions: questions}
	start = time.Now()
	pages.Warm(a.ctx) // as serve does at its start
	fmt.Fprintf(a.err, "pages made in %v\n", time.Since(start).Round(time.Millisecond))
	if m.first, err = askEach(a.ctx, questions, 1); err != nil {
		return err
	}
	if m.alone, err = askEach(a.ctx, questions, c.Runs); err != nil {
		return err
	}
	load := &benchLoad{source: benchSource{each: c.Array, first: int(before.Rows), from: time.Now().UTC().AddDate(0, 0, -1)}, p: p} // an event of the future would be refused
	start = time.Now()
	if err := errors.Join(load.send(a.ctx, c.Load), p.catchUp(a.ctx)); err != nil {
		return err
	}
	fastest := float64(c.Load) / time.Since(start).Seconds()

	coming, stop := context.WithCancel(a.ctx)
	sent := make(chan error, 1)
	start = time.Now()
	go func() { sent <- load.keepUp(coming, fastest/2) }()
	m.mixed, err = askEach(a.ctx, questions, c.Runs)
	stop()
	if err := errors.Join(err, <-sent); err != nil {
		return err
	}
	rate := float64(load.events-c.Load) / time.Since(start).Seconds()
	if err := errors.Join(p.catchUp(a.ctx), p.booked(a.ctx, before.Stored+int64(load.events))); err != nil {
		return err
	}
	return m.print(a.out, fmt.Sprintf(
		"%d events before; stored at most %.0f events/s, while asked %.0f events/s, all %d of them", before.Rows, fastest, rate, load.events))
}

// mixedTimes are what each question took, in the order of the runs.
type mixedTimes struct {
	questions           []benchQuestion
	first, alone, mixed [][]time.Duration
}

func (m *mixedTimes) print(w io.Writer, summary string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tat first\talone, p50\tp95\tp99\twhile events come, p50\tp95\tp99\t")
	for i, q := range m.questions {
		fmt.Fprintf(table, "%s\t%s\t", q.name, inMillis(m.first[i][0]))
		for _, runs := range [][]time.Duration{m.alone[i], m.mixed[i]} {
			fmt.Fprintf(table, "%s\t%s\t%s\t", inMillis(at(runs, 50)), inMillis(at(runs, 95)), inMillis(at(runs, 99)))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, summary)
	return err
}

// inMillis writes a time for a column of times.
func inMillis(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
}

// A benchLoad publishes events, each once.
type benchLoad struct {
	source benchSource
	p      *pipeline
	events int // sent so far
}

// send publishes the next events as fast as the stream takes them.
func (l *benchLoad) send(ctx context.Context, events int) error {
	next := l.source
	next.first += l.events
	next.events = events
	l.events += events
	return publishAll(ctx, l.p.client, next.messages)
}

// benchTick is how often the load is brought up to its rate.
const benchTick = 20 * time.Millisecond

// keepUp publishes so many events a second until ctx ends.
func (l *benchLoad) keepUp(ctx context.Context, rate float64) error {
	tick := time.NewTicker(benchTick)
	defer tick.Stop()
	start, before := time.Now(), l.events
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		due := int(rate*time.Since(start).Seconds()) - (l.events - before)
		if due < l.source.each {
			continue
		}
		if err := l.send(context.WithoutCancel(ctx), due); err != nil {
			return err
		}
	}
}

// booked says whether the books tell of so many events.
func (p *pipeline) booked(ctx context.Context, events int64) error {
	books, err := queries.Books(ctx, p.store.Reader(), queries.Always())
	if err == nil && books.Stored != events {
		err = fmt.Errorf("%d events published, %d booked as stored", events, books.Stored)
	}
	return err
}
