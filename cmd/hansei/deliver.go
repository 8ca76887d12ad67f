package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/deliver"
)

// deliverCmd delivers reports by hand.
type deliverCmd struct {
	Report deliverReportCmd `cmd:"" default:"withargs" help:"Deliver the report of a month, or a digest, now (what deliver does by itself)."`
	Log    deliverLogCmd    `cmd:"" help:"List what was delivered to whom, the newest first, with every failure."`
}

type deliverReportCmd struct {
	Month  string `help:"Month, such as 2026-01. Default: the month that ended last." placeholder:"YYYY-MM" xor:"period"`
	Week   string `help:"Digest of a week instead, such as 2026-W05." placeholder:"YYYY-Www" xor:"period"`
	Day    string `help:"Digest of a day instead, such as 2026-01-31." placeholder:"YYYY-MM-DD" xor:"period"`
	Again  bool   `help:"Send mails and messages that went out before once more. Files are made anew in any case."`
	DryRun bool   `help:"Print exactly what would be sent to whom (of files that go with a mail, their size), and send nothing."`
	deliverTo
}

// Run delivers, or lets the serve that holds the data folder do it with the
// settings that it has.
func (c *deliverReportCmd) Run(a *app) error {
	if _, err := c.options(a); err != nil {
		return err
	}
	values := url.Values{"kind": {string(deliver.Month)}, "period": {c.Month}}
	switch {
	case c.Week != "":
		values = url.Values{"kind": {string(deliver.Week)}, "period": {c.Week}}
	case c.Day != "":
		values = url.Values{"kind": {string(deliver.Day)}, "period": {c.Day}}
	}
	if _, err := periodOf(values, time.Now().In(a.location)); err != nil {
		return err // before anything is opened
	}
	if c.Again {
		values.Set("again", "true")
	}
	if c.DryRun {
		values.Set("dry_run", "true")
	}
	b, err := a.openStored()
	if err != nil {
		return err
	}
	switch b := b.(type) {
	case *local:
		err = b.p.setDelivery(a, &c.deliverTo)
	case *remote:
		fmt.Fprintf(a.err, "note: hansei serve (pid %d) holds the data folder, and delivers by its own settings\n", b.server.PID)
	}
	if err == nil {
		err = b.get(a.ctx, "deliver", values, a.out)
	}
	if closed := b.Close(); err == nil {
		err = closed
	}
	return err
}

type deliverLogCmd struct {
	Format string `env:"HANSEI_TABLE_FORMAT" help:"table, csv or json (default ${default})." default:"table" placeholder:"FORMAT"`
}

// Run lists.
func (c *deliverLogCmd) Run(a *app) error {
	return a.ask("deliver/log", url.Values{"format": {c.Format}}, "")
}

// periodOf reads the parameters kind and period; without a period it is the one
// that ended last at now.
func periodOf(values url.Values, now time.Time) (deliver.Period, error) {
	kind, name := deliver.Kind(values.Get("kind")), values.Get("period")
	if name == "" {
		return deliver.Last(kind, now), nil
	}
	p, err := deliver.ParsePeriod(kind, name, now.Location())
	if err != nil {
		return p, usageError{err}
	}
	if p.To.After(now) { // it would count as delivered when its time comes
		return p, usageError{fmt.Errorf("%s %s is not over yet; hansei report shows what there is so far", kind, name)}
	}
	return p, nil
}

// answerDeliver delivers because someone asked. That something was not
// delivered is an error, which tells what was.
func answerDeliver(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	d := p.delivery
	now := d.desk.Now()
	period, err := periodOf(values, now.In(d.desk.Location))
	if err != nil {
		return err
	}
	if values.Get("dry_run") == "true" {
		return d.desk.Show(ctx, period, w)
	}
	records, err := d.desk.Deliver(ctx, period, values.Get("again") == "true")
	d.tell(records)
	var lines strings.Builder
	for _, r := range records {
		fmt.Fprintf(&lines, "%-7s  %s: %s\n", r.Way, r.To, outcome(&r, now))
		if r.State != deliver.Sent && err == nil {
			err = fmt.Errorf("not everything of %s was delivered; hansei deliver log shows every try", period.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, strings.TrimSpace(lines.String()))
	}
	_, err = io.WriteString(w, lines.String())
	return err
}

// outcome says what became of a delivery that was asked for at a time.
func outcome(r *deliver.Record, asked time.Time) string {
	switch {
	case r.State == deliver.Sent && r.At.Before(asked):
		return "sent before, at " + r.At.Format(time.RFC3339) + "; --again sends it once more"
	case r.State == deliver.Sent:
		return "sent"
	case r.State == deliver.Waiting:
		return r.Error() + "; serve tries again at " + r.Next.Format(time.RFC3339)
	case r.State == deliver.Failed:
		return r.Error() + "; it is not tried again by itself"
	}
	return "a replica is at it"
}

// answerDeliverLog lists what was delivered.
func answerDeliverLog(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	records, err := p.deliveries(ctx)
	if err != nil {
		return err
	}
	t := &analyze.Table{Columns: []string{"at", "kind", "period", "way", "to", "state", "tries", "next", "error"}}
	for _, r := range records {
		var next any
		if !r.Next.IsZero() {
			next = r.Next
		}
		t.Rows = append(t.Rows, []any{r.At.Truncate(time.Second), string(r.Kind), r.Period, r.Way, r.To, string(r.State), int64(len(r.Tries)), next, r.Error()})
	}
	return writeTable(w, t, values.Get("format"))
}
