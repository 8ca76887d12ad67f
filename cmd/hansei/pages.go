package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"hansei/analyze"
	"hansei/dashboard"
	"hansei/queries"
	"hansei/reports"
)

// pages returns the pages of serve. They ask what commands ask, and decide by
// the same code.
func (a *app) pages(p *pipeline) *dashboard.Dashboard {
	return dashboard.New(dashboard.Options{
		Store:      p.store,
		Classifier: p.rules.now,
		RuleFolder: p.rules.state,
		Span: func(values url.Values) (queries.Span, error) {
			span, err := spanOf(values)
			if err == nil {
				span.Filter, err = filterOf(values)
			}
			return span, forPages(err)
		},
		Tune: func(ctx context.Context, span queries.Span) (*analyze.Tuning, error) {
			return tuningOf(ctx, p, span, nil, analyze.TuneOptions{})
		},
		Report: func(ctx context.Context, span queries.Span, t *analyze.Tuning) (*reports.Report, error) {
			report, err := collectWith(ctx, p, nil, reports.Options{Span: span, Suggestions: t.Suggestions, Decisions: t.Decisions, Oddities: t.Notes, Behind: true})
			return report, forPages(err)
		},
		Stamp: p.goalsStamp,
		Do: func(ctx context.Context, name string, values url.Values) error {
			r, err := resourceNamed(name)
			if err != nil {
				return err
			}
			return forPages(r.answerTo(ctx, p, values, new(bytes.Buffer)))
		},
		File: func(w http.ResponseWriter, r *http.Request) {
			p.serveResource(w, r, "report", r.URL.Query(), pagePatience)
		},
		Deliveries: p.deliveries,
		Timezone:   a.Timezone,
		Now:        time.Now,
		Log:        p.log,
	})
}

// warm makes the pages that people open first, from all that the stream holds.
func (p *pipeline) warm(ctx context.Context, pages *dashboard.Dashboard) {
	if err := p.catchUp(ctx); err != nil {
		p.log.Debug("making pages before all is stored", "err", err)
	}
	pages.Warm(ctx)
}

// forPages marks what the values are to blame for.
func forPages(err error) error {
	var usage usageError
	if errors.As(err, &usage) {
		return &dashboard.InputError{Err: usage.err}
	}
	return err
}

// shownRows is how many of the last events of a batch are looked at for
// failures to show: with few failures among them, a page shows few of a batch.
const shownRows = 8 * dashboard.Room

// show tells the live page of what was stored.
func show(page *dashboard.Live, b *analyze.Batch, now time.Time) {
	var last []dashboard.Failure
	skip := b.Len() - shownRows
	for row := range b.Rows() {
		if skip--; skip >= 0 || row.Text("category") == "" {
			continue
		}
		tag := row.Tag()
		f := dashboard.Failure{Time: row.Time(), Agent: row.Text("agent"), Operation: row.Text("operation"),
			Incident: cmp.Or(row.Text("incident"), row.Text("id")), Category: string(tag.Category), Code: row.Text("code"), Message: row.Text("message")}
		if row.Text("session") != "" && now.Sub(f.Time) <= live {
			f.Signal = actions[tag.Taxonomy]
		}
		last = append(last, f)
	}
	page.Told(b.Len(), last[max(0, len(last)-dashboard.Room):])
}
