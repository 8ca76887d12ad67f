package main

import (
	"cmp"
	"context"
	"io"
	"net/url"

	"hansei/reports"
)

// tuneCmd suggests retry thresholds.
type tuneCmd struct {
	Month  string `help:"Month to learn from, such as 2026-01. Default: the month that ended last." placeholder:"YYYY-MM" xor:"month"`
	From   string `help:"First day to learn from, with --to." placeholder:"YYYY-MM-DD" xor:"month"`
	To     string `help:"Last day to learn from." placeholder:"YYYY-MM-DD"`
	Format string `help:"md or json (default ${default})." default:"md" placeholder:"FORMAT"`
	Lang   string `help:"en or ja, for md (default ${default})." default:"en" placeholder:"LANG"`
	Worth  string `help:"What a resolution is worth, in seconds (default 600)." placeholder:"SECONDS"`
}

// Run prints the suggestions.
func (c *tuneCmd) Run(a *app) error {
	values := url.Values{"format": {c.Format}, "lang": {c.Lang}, "worth_s": {c.Worth}, "timezone": {a.Timezone}}
	if c.From != "" || c.To != "" {
		values.Set("from", c.From)
		values.Set("to", c.To)
	} else {
		values.Set("month", a.monthOr(c.Month))
	}
	return a.ask("tune", values, "")
}

func tuneMedia(values url.Values) string {
	if values.Get("format") == "json" {
		return "application/json"
	}
	return "text/markdown; charset=utf-8"
}

func answerTune(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	span, err := spanOf(values)
	if err != nil {
		return err
	}
	lang, err := reports.ParseLang(cmp.Or(values.Get("lang"), "en"))
	if err != nil {
		return usageError{err}
	}
	format, err := reports.ParseTuningFormat(cmp.Or(values.Get("format"), "md"))
	if err != nil {
		return usageError{err}
	}
	tuning, err := tuningOf(ctx, p, span, values)
	if err != nil {
		return err
	}
	return reports.RenderTuning(w, tuning, format, lang)
}
