package dashboard

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"hansei/analyze"
	"hansei/queries"
	"hansei/reports"
)

// report is the report of any period, with its own sections.
var report = Page{Path: "/report", Name: text{EN: "Report", JA: "レポート"}, Show: (*Dashboard).report}

func (d *Dashboard) report(q *request) error {
	if q.Get("format") != "" {
		d.File(q.w, q.r)
		return nil
	}
	span, tuning, err := d.tuned(q)
	if err != nil {
		return err
	}
	made, err := remember(d, q, &d.reports, d.Stamp()+spanKey(span), span.To, func(ctx context.Context, _ answer[*rendered]) (*rendered, error) {
		report, err := d.Report(ctx, span, tuning)
		if err != nil {
			return nil, err
		}
		made := render(report)
		_, err = made.pages[q.Lang]() // so that who asks for it need not wait
		return made, err
	})
	if err != nil {
		return err
	}
	page, err := made.pages[q.Lang]()
	if err != nil {
		return err
	}
	var top bytes.Buffer
	if err := templates()[q.Lang]["report.html.tmpl"].ExecuteTemplate(&top, "above", q); err != nil {
		return err
	}
	d.write(q, slices.Concat(page.above, top.Bytes(), page.below), page.policy+"; frame-ancestors 'none'")
	return nil
}

// A rendered is a report with its pages in each language, made when they are
// asked for first.
type rendered struct {
	pages map[reports.Lang]func() (renderedPage, error)
}

// A renderedPage is the page of a report but for what changes with each request.
type renderedPage struct {
	above, below []byte
	policy       string
}

// topMark stands where that comes. Nothing else can: text is escaped.
const topMark = "<!--top-->"

func render(report *reports.Report) *rendered {
	made := &rendered{map[reports.Lang]func() (renderedPage, error){}}
	frame := reports.Frame{Top: topMark, Style: "/assets/dashboard.css", Icon: "/assets/icon.svg"}
	if reports.ECharts() != nil {
		frame.ECharts = "/assets/echarts.js"
	}
	for _, lang := range reports.Langs {
		made.pages[lang] = sync.OnceValues(func() (p renderedPage, err error) {
			var page bytes.Buffer
			p.policy, err = report.In(lang).RenderWithin(&page, frame)
			p.above, p.below, _ = bytes.Cut(page.Bytes(), []byte(topMark))
			return p, err
		})
	}
	return made
}

// tuned reads the span that q asks about, fills its filters, and returns the
// suggestions of the span.
func (d *Dashboard) tuned(q *request) (span queries.Span, tuning *analyze.Tuning, err error) {
	if span, err = d.span(q); err != nil {
		return span, nil, err
	}
	if err = d.filters(q, span); err != nil {
		return span, nil, err
	}
	tuning, err = d.tuning(q, span)
	return span, tuning, err
}

// tuning returns the suggestions of a span, whatever its filter.
func (d *Dashboard) tuning(q *request, span queries.Span) (*analyze.Tuning, error) {
	span.Filter = queries.Filter{}
	return remember(d, q, &d.tunings, spanKey(span), span.To, func(ctx context.Context, _ answer[*analyze.Tuning]) (*analyze.Tuning, error) {
		return d.Tune(ctx, span)
	})
}
