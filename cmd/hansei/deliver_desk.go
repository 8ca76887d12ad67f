package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/deliver"
	"hansei/ingest/stream"
	"hansei/queries"
	"hansei/reports"
)

// deliverWhen are the flags that say when serve delivers reports.
type deliverWhen struct {
	ReportDay  int    `help:"Day of the month, 1 to 28, on which the report of the month before is delivered; 0 is never (default ${default}). A serve that was down then does it at its start, and makes the files of the months that it missed before; only the last goes out by mail and webhook." default:"1" placeholder:"N"`
	ReportTime string `help:"Time of that day, and of digests, in --timezone (default ${default})." default:"06:00" placeholder:"HH:MM"`
	Digest     string `help:"Also a short digest: weekly, on Mondays, or daily; or none (default ${default})." default:"none" placeholder:"HOW-OFTEN"`
	Lease      age    `name:"delivery-lease" help:"How long a replica that is at a delivery may be silent before another takes it over (default ${default})." default:"1m" placeholder:"AGE"`
}

// schedule checks the flags.
func (c *deliverWhen) schedule(a *app) (deliver.Schedule, error) {
	s := deliver.Schedule{Day: c.ReportDay, Location: a.location}
	if c.ReportDay < 0 || c.ReportDay > 28 {
		return s, usageError{fmt.Errorf("--report-day %d: want 1 to 28, which every month has, or 0 for no monthly report", c.ReportDay)}
	}
	at, err := time.Parse("15:04", c.ReportTime)
	if err != nil {
		return s, usageError{fmt.Errorf("--report-time %q: write it like 06:00", c.ReportTime)}
	}
	s.Hour, s.Minute = at.Hour(), at.Minute()
	digest, known := map[string]deliver.Kind{"none": "", "weekly": deliver.Week, "daily": deliver.Day}[c.Digest]
	if !known {
		return s, usageError{fmt.Errorf("--digest %q: known are none, weekly, daily", c.Digest)}
	}
	s.Digest = digest
	if time.Duration(c.Lease) < time.Second {
		return s, usageError{fmt.Errorf("--delivery-lease %v: want a second or more", time.Duration(c.Lease))}
	}
	return s, nil
}

// deliverTo are the flags that say what is delivered to whom. Those that hold a
// secret are better set in the environment, where no list of processes shows them.
type deliverTo struct {
	ReportLang string   `help:"Language of what is delivered: en or ja (default ${default})." default:"en" placeholder:"LANG"`
	MailTo     string   `help:"Addresses to mail reports to, separated by commas. One that is added later gets the last report at the next start of serve." placeholder:"ADDRESSES"`
	MailFrom   string   `help:"Address that mails come from." placeholder:"ADDRESS"`
	SMTPURL    string   `name:"smtp-url" help:"Mail server, with its password: smtp://user:password@host:587 (STARTTLS), smtps://… (TLS from the start) or, without protection, smtp+plain://…. It holds a secret: better set in the environment." placeholder:"URL"`
	WebhookURL []string `name:"webhook-url" help:"Webhook that takes messages as Slack's do; several are separated by spaces. It is a secret: better set in the environment." sep:" " placeholder:"URL"`
	PublicURL  string   `name:"public-url" help:"Address at which people reach serve, for the link in mails and messages." placeholder:"URL"`
}

// options checks the flags, and returns what they ask for.
func (c *deliverTo) options(a *app) (deliver.Options, error) {
	o := deliver.Options{
		Folder:   filepath.Join(a.Data, "reports"),
		Mail:     deliver.Mail{To: c.MailTo, From: c.MailFrom, Server: c.SMTPURL},
		Webhooks: c.WebhookURL,
	}
	if _, err := deliver.Deliverers(o); err != nil {
		return o, usageError{err}
	}
	if _, err := reports.ParseLang(c.ReportLang); err != nil {
		return o, usageError{fmt.Errorf("--report-lang: %w", err)}
	}
	if u, err := url.Parse(c.PublicURL); c.PublicURL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return o, usageError{fmt.Errorf("--public-url %q: write it like https://hansei.example.net", c.PublicURL)}
	}
	return o, nil
}

// A delivery brings the reports of a pipeline's store to people.
type delivery struct {
	desk *deliver.Desk
	p    *pipeline
	lang reports.Lang
	link string        // of serve; empty: none
	keep time.Duration // how long events are kept; 0: for ever
	log  *slog.Logger
}

// setDelivery sets up to whom p delivers.
func (p *pipeline) setDelivery(a *app, c *deliverTo) error {
	o, err := c.options(a)
	if err != nil {
		return err
	}
	o.Store = p.store.ID()
	to, err := deliver.Deliverers(o)
	if err != nil {
		return err
	}
	d := &delivery{p: p, lang: reports.Lang(c.ReportLang), link: strings.TrimSuffix(c.PublicURL, "/"), log: p.log}
	d.desk = &deliver.Desk{
		Register: p.client.Register(stream.Deliveries), Owner: p.store.ID(), Now: time.Now,
		Location: a.location, Deliverers: to, Covers: d.covers, Make: d.make,
	}
	p.delivery = d
	return nil
}

// deliveries returns the log of deliveries of all replicas, the newest first.
func (p *pipeline) deliveries(ctx context.Context) ([]deliver.Record, error) {
	return deliver.Records(ctx, p.client.Register(stream.Deliveries))
}

// startDelivery sets up to whom p delivers and when, and returns what does so
// until its context ends.
func (p *pipeline) startDelivery(a *app, c *serveCmd) (func(context.Context), error) {
	schedule, err := c.schedule(a)
	if err == nil {
		err = p.setDelivery(a, &c.deliverTo)
	}
	if err != nil {
		return nil, err
	}
	p.delivery.desk.Lease = time.Duration(c.Lease)
	p.delivery.keep = time.Duration(c.Keep)
	return func(ctx context.Context) { p.delivery.run(ctx, schedule) }, nil
}

// run delivers what is due, now and whenever it becomes so, until ctx ends.
func (d *delivery) run(ctx context.Context, schedule deliver.Schedule) {
	pause := time.NewTicker(d.desk.Lease / 3) // several looks within a lease, which an abandoned claim is measured by
	defer pause.Stop()
	missing := true // there may be months before the one that is due
	for trouble := ""; ctx.Err() == nil; {
		records, err := d.desk.Round(ctx, schedule.Due(d.desk.Now()))
		d.tell(records)
		if err == nil && missing {
			err = d.makeMissed(ctx, schedule)
			missing = err != nil
		}
		switch {
		case err == nil:
			trouble = ""
		case ctx.Err() == nil && err.Error() != trouble:
			trouble = err.Error()
			d.log.Warn("reports are not delivered, trying again", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
	}
}

// makeMissed makes the reports of the months, of those that are stored in full,
// which ended while no serve was there to make them.
func (d *delivery) makeMissed(ctx context.Context, schedule deliver.Schedule) error {
	if err := d.p.catchUp(ctx); err != nil {
		return err
	}
	months, err := d.months(ctx)
	if err != nil {
		return err
	}
	var since time.Time
	if d.keep > 0 {
		since = d.desk.Now().Add(-d.keep)
	}
	missed, err := schedule.Missed(months, since, d.desk.Now())
	if err != nil {
		return err
	}
	records, err := d.desk.Keep(ctx, missed)
	d.tell(records)
	return err
}

// months are those that have incidents, the newest first.
func (d *delivery) months(ctx context.Context) ([]string, error) {
	db, err := d.p.store.Current(ctx)
	if err != nil {
		return nil, err
	}
	return queries.Months(ctx, db, d.desk.Location)
}

// tell logs what became of deliveries.
func (d *delivery) tell(records []deliver.Record) {
	for _, r := range records {
		about := []any{"period", r.Period, "way", r.Way, "to", r.To}
		switch r.State {
		case deliver.Sent:
			d.log.Info("report delivered", about...)
		case deliver.Waiting:
			d.log.Warn("report not delivered, trying again", append(about, "next", r.Next, "err", r.Error())...)
		case deliver.Failed:
			d.log.Error("report not delivered; see hansei deliver log", append(about, "err", r.Error())...)
		}
	}
}

// covers reports whether the store has incidents from a period or before it.
func (d *delivery) covers(ctx context.Context, period deliver.Period) (bool, error) {
	months, err := d.months(ctx)
	if err != nil || len(months) == 0 {
		return false, err
	}
	return months[len(months)-1] <= period.To.Add(-time.Second).Format("2006-01"), nil
}

// make makes the edition of a period from all that the stream holds.
func (d *delivery) make(ctx context.Context, period deliver.Period) (*deliver.Edition, error) {
	if err := d.p.catchUp(ctx); err != nil {
		return nil, err
	}
	values := url.Values{"lang": {string(d.lang)}, "timezone": {d.desk.Location.String()}}
	if period.Kind == deliver.Month {
		values.Set("month", period.Name)
	} else {
		values.Set("from", period.From.Format(time.DateOnly))
		values.Set("to", period.To.Add(-time.Second).Format(time.DateOnly))
	}
	report, err := collectReport(ctx, d.p, values, period.Kind == deliver.Month)
	if err != nil {
		return nil, err
	}
	if period.Kind == deliver.Month {
		d.p.keepSuggestions(ctx, &analyze.Tuning{From: report.Span.From, To: report.Span.To, Suggestions: report.Suggestions})
	}
	link := ""
	if d.link != "" {
		link = d.link + "/report?" + values.Encode()
	}
	letter, err := report.Letter(link)
	if err != nil {
		return nil, err
	}
	e := &deliver.Edition{Period: period, Title: letter.Title, Paragraphs: letter.Paragraphs, HTML: letter.HTML}
	if period.Kind != deliver.Month {
		e.Files = []deliver.File{{Name: "digest-" + period.Name + "." + string(d.lang) + ".html", Media: "text/html; charset=utf-8", Data: []byte(letter.HTML)}}
		return e, nil
	}
	for _, format := range []reports.Format{reports.HTML, reports.Markdown} {
		var text bytes.Buffer
		if err := report.Render(&text, format); err != nil {
			return nil, err
		}
		e.Files = append(e.Files, deliver.File{
			Name:  "report-" + period.Name + "." + string(d.lang) + "." + string(format),
			Media: reportMedia(url.Values{"format": {string(format)}}), Data: text.Bytes(), Attach: format == reports.HTML,
		})
	}
	return e, nil
}
