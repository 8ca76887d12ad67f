package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"text/tabwriter"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

type benchMixedCmd struct {
	Events int `help:"Events of the year that is stored before (default ${default})." default:"1000000"`
	Load   int `help:"How many events the fastest rate is measured with (default ${default})." default:"200000"`
	Array  int `help:"Events of a message (default ${default})." default:"100"`
	Runs   int `help:"How often each question is asked (default ${default})." default:"100"`
}

// Run asks for the report of the month and for the page of incidents,
// first while nothing comes, then while events come at half of the rate that
// was the fastest just before.
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
		p, err := a.openPipeline(folder, pipelineOptions{threads: servingThreads, log: a.log})
		if err != nil {
			return err
		}
		l := newLocal(a.ctx, p)
		return errors.Join(c.measure(a, p), l.Close())
	})
}

func (c *benchMixedCmd) measure(a *app, p *pipeline) error {
	from := time.Now().UTC().AddDate(0, 0, -1) // an event of the future would be refused
	month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
	if err := fillHistory(a.ctx, p.store, c.Events, month.AddDate(0, 1-benchMonths, 0), benchMonths); err != nil {
		return err
	}
	pages := a.pages(p)
	defer pages.Close()
	questions := benchQuestions(p, a.handler(p, pages), month)
	alone, err := c.ask(a.ctx, questions)
	if err != nil {
		return err
	}
	load := &benchLoad{source: benchSource{each: c.Array, first: c.Events, from: from}, p: p}
	start := time.Now()
	if err := errors.Join(load.send(a.ctx, c.Load), p.catchUp(a.ctx)); err != nil {
		return err
	}
	fastest := float64(c.Load) / time.Since(start).Seconds()

	coming, stop := context.WithCancel(a.ctx)
	sent := make(chan error, 1)
	start = time.Now()
	go func() { sent <- load.keepUp(coming, fastest/2) }()
	mixed, err := c.ask(a.ctx, questions)
	stop()
	if err := errors.Join(err, <-sent); err != nil {
		return err
	}
	rate := float64(load.events-c.Load) / time.Since(start).Seconds()
	if err := errors.Join(p.catchUp(a.ctx), p.booked(a.ctx, load.events)); err != nil {
		return err
	}
	return c.print(a, questions, alone, mixed, fmt.Sprintf(
		"%d events of a year before; stored at most %.0f events/s, while asked %.0f events/s, all %d of them", c.Events, fastest, rate, load.events))
}

// A benchQuestion is one that people ask.
type benchQuestion struct {
	name string
	ask  func(ctx context.Context) error
}

// benchQuestions are the report, made anew each time, and a page as serve
// answers it, which for a moment may show the answer before.
func benchQuestions(p *pipeline, handler http.Handler, of time.Time) []benchQuestion {
	month := url.Values{"month": {of.Format("2006-01")}, "format": {"html"}}
	return []benchQuestion{
		{"report of the month", func(ctx context.Context) error { return answerReport(ctx, p, month, new(bytes.Buffer)) }},
		{"page of incidents", func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1/incidents?month="+month.Get("month"), nil)
			if err != nil {
				return err
			}
			w := &benchPage{header: http.Header{}, code: http.StatusOK}
			if handler.ServeHTTP(w, r); w.code != http.StatusOK {
				return fmt.Errorf("%s: %s", r.URL, http.StatusText(w.code))
			}
			return nil
		}},
	}
}

// A benchPage takes a page and keeps only how it went.
type benchPage struct {
	header http.Header
	code   int
}

func (w *benchPage) Header() http.Header         { return w.header }
func (w *benchPage) WriteHeader(code int)        { w.code = code }
func (w *benchPage) Write(b []byte) (int, error) { return len(b), nil }

// ask asks each question so often, in turn, and returns what each took,
// shortest first.
func (c *benchMixedCmd) ask(ctx context.Context, questions []benchQuestion) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(questions))
	for range c.Runs {
		for i, q := range questions {
			start := time.Now()
			if err := q.ask(ctx); err != nil {
				return nil, fmt.Errorf("%s: %w", q.name, err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	return took, nil
}

// at is the time that so many hundredths of the runs did not pass, by the
// nearest rank: of fewer than a hundred, 99 is the longest.
func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)*percent+99)/100-1]
}

func (c *benchMixedCmd) print(a *app, questions []benchQuestion, alone, mixed [][]time.Duration, summary string) error {
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "what\talone, p50\tp99\twhile events come, p50\tp99\tratio of p99\t")
	for i, q := range questions {
		before, during := at(alone[i], 99), at(mixed[i], 99)
		fmt.Fprintf(table, "%s\t%v\t%v\t%v\t%v\t%.2f\t\n", q.name, at(alone[i], 50).Round(time.Millisecond), before.Round(time.Millisecond),
			at(mixed[i], 50).Round(time.Millisecond), during.Round(time.Millisecond), during.Seconds()/before.Seconds())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.out, summary)
	return err
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
func (p *pipeline) booked(ctx context.Context, events int) error {
	books, err := queries.Books(ctx, p.store.Reader(), always())
	if err == nil && int(books.Stored) != events {
		err = fmt.Errorf("%d events published, %d booked as stored", events, books.Stored)
	}
	return err
}
