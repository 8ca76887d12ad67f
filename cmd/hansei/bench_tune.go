package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

type benchTuneCmd struct {
	Events int `help:"Events of the year (default ${default})." default:"10000000"`
	Cells  int `help:"Cells that they spread over (default ${default})." default:"500"`
	Runs   int `help:"How often the tuner is asked; the middle time counts (default ${default})." default:"3"`

	Store string `help:"Store to measure a copy of, instead of making a year of events: all of its events are tuned." placeholder:"FILE"`

	Profile string `help:"A file for the CPU profile of the tuner, in the form of go tool pprof." type:"path"`
}

// Run tunes a year of a fleet that retries, and tells apart what the incidents
// and their chains take to be made, which is done once.
func (c *benchTuneCmd) Run(a *app) error {
	if c.Events < 1 || c.Cells < 1 || c.Cells > benchMostCells || c.Runs < 1 {
		return usageError{fmt.Errorf("--events %d --cells %d --runs %d: want at least 1 event and 1 run, and 1 to %d cells", c.Events, c.Cells, c.Runs, benchMostCells)}
	}
	return a.inBenchFolder(func(a *app) error {
		path := filepath.Join(a.Data, "bench.duckdb")
		var list []benchResult
		if c.Store != "" {
			if err := copyFile(path, c.Store); err != nil {
				return err
			}
		} else {
			refresh, err := c.fill(a, path)
			if err != nil {
				return err
			}
			list = append(list, refresh)
		}
		tuned, err := c.tune(a, path)
		if err != nil {
			return err
		}
		list = append(list, tuned...)
		table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "what\tseconds\tseconds of CPU\tµs of CPU an event\tpeak MiB\t")
		for _, m := range list {
			fmt.Fprintf(table, "%s\t%.2f\t%.2f\t%.2f\t%d\t\n", m.name, m.took.Seconds(), m.cpu.Seconds(), float64(m.cpu.Nanoseconds())/1000/float64(m.events), m.memory)
		}
		return table.Flush()
	})
}

// fill makes the store, and measures how its incidents are made.
func (c *benchTuneCmd) fill(a *app, path string) (refresh benchResult, err error) {
	store, err := analyze.Open(a.ctx, path, analyze.Options{Memory: a.Memory})
	if err != nil {
		return refresh, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	fleet := newBenchFleet(c.Cells, c.Events)
	for fleet.made < c.Events {
		batch := analyze.Batch{Parts: []*analyze.Part{fleet.part()}}
		batch.Position.Sequence = uint64(fleet.made)
		if err := store.AppendUnchecked(a.ctx, batch); err != nil {
			return refresh, fmt.Errorf("history of %d events: %w", c.Events, err)
		}
	}
	return measured("incidents made of all events", fleet.made, func() error { return store.Refresh(a.ctx) })
}

// tune measures the first answer of a store just opened, which keeps the chains,
// and the middle of the others.
func (c *benchTuneCmd) tune(a *app, path string) (list []benchResult, err error) {
	store, err := analyze.Open(a.ctx, path, analyze.Options{Memory: a.Memory})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	db, err := store.Current(a.ctx)
	if err != nil {
		return nil, err
	}
	span := queries.Span{From: demoFrom, To: demoFrom.AddDate(0, benchMonths, 0), Location: time.UTC}
	if c.Store != "" {
		span = queries.Always()
	}
	books, err := queries.Books(a.ctx, db, queries.Always())
	if err != nil {
		return nil, err
	}
	kept, err := measured("chains of all days kept", int(books.Rows), func() error { return store.KeepChains(a.ctx, span, time.Now()) })
	if err != nil {
		return nil, err
	}
	stop, err := profile(c.Profile)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	suggestions := 0
	var runs []benchResult
	for range c.Runs {
		m, err := measured("tune", int(books.Rows), func() error {
			t, err := analyze.Tune(a.ctx, db, span, analyze.TuneOptions{})
			if err == nil {
				suggestions = len(t.Suggestions)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		runs = append(runs, m)
	}
	fmt.Fprintf(a.err, "%d events, %d suggestions\n", books.Rows, suggestions)
	byTime := func(a, b benchResult) int { return cmp.Compare(a.took, b.took) }
	return []benchResult{kept, middle(runs, byTime)}, nil
}
