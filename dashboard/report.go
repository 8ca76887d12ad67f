package dashboard

import (
	"bytes"
	"context"
	"html/template"

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
	got, err := d.reports.ask(q.r.Context(), d, string(q.Lang)+spanKey(span), func(ctx context.Context) (*reports.Report, error) {
		return d.Report(ctx, span, q.Lang, tuning)
	})
	if err != nil {
		return err
	}
	q.seen(got.asOf, got.behind)
	var top, page bytes.Buffer
	if err := templates[q.Lang]["report.html.tmpl"].ExecuteTemplate(&top, "above", q); err != nil {
		return err
	}
	frame := reports.Frame{Top: template.HTML(top.String()), Style: "/assets/dashboard.css", Icon: "/assets/icon.svg"} // made by html/template
	if reports.ECharts() != nil {
		frame.ECharts = "/assets/echarts.js"
	}
	policy, err := got.value.RenderWithin(&page, frame)
	if err != nil {
		return err
	}
	d.write(q, page.Bytes(), policy+"; frame-ancestors 'none'")
	return nil
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
	got, err := d.tunings.ask(q.r.Context(), d, spanKey(span), func(ctx context.Context) (*analyze.Tuning, error) { return d.Tune(ctx, span) })
	q.seen(got.asOf, got.behind)
	return got.value, err
}
