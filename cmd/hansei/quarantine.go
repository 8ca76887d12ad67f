package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"

	"hansei/analyze"
	"hansei/queries"
)

// quarantineCmd shows bad input, and says what becomes of it.
type quarantineCmd struct {
	List    quarantineListCmd    `cmd:"" help:"List bad input, newest first."`
	Show    quarantineShowCmd    `cmd:"" help:"Print one piece of bad input with its reason."`
	Requeue quarantineRequeueCmd `cmd:"" help:"Read bad input again, as it is or corrected, and publish what it holds."`
	Drop    quarantineDropCmd    `cmd:"" help:"Delete bad input from the store; the books still count it as quarantined. A rebuilt store reads it from the stream again, as long as that keeps it."`
}

type quarantineListCmd struct {
	Most   int    `help:"How many at most (default ${default})." default:"100" placeholder:"N"`
	Format string `env:"HANSEI_TABLE_FORMAT" help:"table, csv or json (default ${default})." default:"table" placeholder:"FORMAT"`
}

// Run lists.
func (c *quarantineListCmd) Run(a *app) error {
	return a.ask("quarantine", url.Values{"most": {strconv.Itoa(c.Most)}, "format": {c.Format}}, "")
}

type quarantineShowCmd struct {
	ID string `arg:"" help:"Id, as quarantine list prints it."`
}

// Run shows one.
func (c *quarantineShowCmd) Run(a *app) error {
	return a.ask("quarantine", url.Values{"id": {c.ID}, "most": {"1"}, "format": {"json"}}, "")
}

func answerQuarantine(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	most, err := strconv.Atoi(values.Get("most"))
	if err != nil || most < 1 {
		return usageError{fmt.Errorf("most %q: want a number from 1", values.Get("most"))}
	}
	id := values.Get("id")
	rows, err := queries.Quarantine(ctx, p.store.Reader(), id, most)
	if err != nil {
		return err
	}
	if id != "" && len(rows) == 0 {
		return fmt.Errorf("nothing in quarantine has the id %s; see hansei quarantine list", id)
	}
	t := &analyze.Table{Columns: []string{"id", "arrived", "source", "place", "reason"}}
	for _, q := range rows {
		t.Rows = append(t.Rows, []any{q.ID, q.Arrived, q.Source, q.Place, q.Reason})
	}
	if id != "" {
		t.Columns = append(t.Columns, "subject", "raw")
		t.Rows[0] = append(t.Rows[0], rows[0].Subject, rows[0].Raw)
	}
	return writeTable(w, t, values.Get("format"))
}
