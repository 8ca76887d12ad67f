// Package reports makes the report of a month, in the formats and languages
// that people read it in.
//
// [Collect] asks all questions of the store once and keeps the answers in a
// [Report]; [Report.Render] writes them as Markdown, HTML, JSON or CSV. For
// Markdown and HTML each entry of [Sections] turns the answers into a [Block]:
// a heading that says what it shows, the message in words, a chart, and the
// table behind it. JSON and CSV carry the answers themselves, unshortened.
//
// What always holds: the same data gives the same bytes (no clock, fixed chart
// ids, lists in the order of their query); text that came with events is shown
// as text, whatever it contains; and a number that is not known is a dash,
// never a zero.
package reports

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// Options say what to report on. Span must be set.
type Options struct {
	Span        queries.Span         // with its filter; a nil Location is UTC
	Lang        Lang                 // empty: English
	Suggestions []analyze.Suggestion // of the tuner; nil leaves their section out
	Decisions   []analyze.Outcome    // what became of suggestions that were decided on; nil: none
	Oddities    []analyze.Note       // what the tuner found that is not as it should be; nil: nothing
	Goals       []Goal               // held against the results, unless the span has a filter; nil: none
	Behind      bool                 // ask also for what is behind each row, which only HTML shows
}

// A Report holds the answers of the store for one span. It does not change
// after [Collect] and may be rendered by several goroutines at once.
type Report struct {
	Options
	Totals   queries.Totals
	Groups   map[queries.Dimension][]queries.Group
	Daily    []queries.Day // days without incidents have no row
	Retries  []queries.RetryCount
	Coverage []queries.SourceCoverage
	Before   Before
	Trend    []queries.TrendMonth // of the twelve months up to the span's last; months without incidents have no row
	Times    []queries.ResolutionTime
	Results  []GoalResult // of the goals
	Ledger   queries.Ledger
	Losses   []queries.Loss         // of the stream, before anything was stored
	Sources  []queries.LedgerSource // the same by source and day, unless the span has a filter
	Months   []string               // all months that have incidents, newest first
	Hours    []queries.Hour
	Messages []queries.Message
	Human    []queries.HumanGroup
	Wasted   []queries.WastedGroup
	Outages  []analyze.ProviderOutage
	Absent   Absent
	outage   codeOutage
	depth    depth

	tuning bool // it is the tuner's own list, where suggestions are named by their ids
}

// A Section is one part of the report. Build returns nil where the report has
// nothing to say in it.
type Section struct {
	ID    string // the section's anchor in HTML
	Build func(r *Report) *Block
}

// Sections are the parts of the report in their order.
var Sections = []Section{
	overview,
	goals,
	byCode,
	byMonth,
	daily,
	hours,
	outages,
	byTaxonomy,
	byCategory,
	messages,
	news,
	retries,
	times,
	wasted,
	human,
	suggestions,
	byAgent,
	byOperation,
	byProvider,
	byModel,
	coverage,
	ledger,
}

// dimensions are the breakdowns in the order of JSON and CSV.
var dimensions = []queries.Dimension{
	queries.ByCode, queries.ByTaxonomy, queries.ByCategory, queries.ByAgent,
	queries.ByOperation, queries.ByProvider, queries.ByModel,
}

// Collect asks db the report's questions. Pass a transaction where the answers
// must agree with each other while events come in.
func Collect(ctx context.Context, db queries.DB, o Options) (*Report, error) {
	if o.Lang == "" {
		o.Lang = EN
	}
	if o.Span.Location == nil {
		o.Span.Location = time.UTC
	}
	o.keepFiltered()
	r := &Report{Options: o}
	var err error
	for _, question := range []struct {
		name string
		ask  func() error
	}{
		{"totals", func() error { r.Totals, err = queries.MonthTotals(ctx, db, o.Span); return err }},
		{"breakdown", func() error { r.Groups, err = queries.Breakdown(ctx, db, o.Span); return err }},
		{"days", func() error { r.Daily, err = queries.Daily(ctx, db, o.Span); return err }},
		{"retries", func() error { r.Retries, err = queries.Retries(ctx, db, o.Span); return err }},
		{"coverage", func() error { r.Coverage, err = queries.Coverage(ctx, db, o.Span); return err }},
		{"time before", func() error { return r.askBefore(ctx, db) }},
		{"trend", func() error { r.Trend, err = queries.Trend(ctx, db, r.trendSpan()); return err }},
		{"times to resolution", func() error { r.Times, err = queries.ResolutionTimes(ctx, db, o.Span); return err }},
		{"goals", func() error { return r.askGoals(ctx, db) }},
		{"ledger", func() error { r.Ledger, err = queries.Books(ctx, db, o.Span); return err }},
		{"losses", func() error { r.Losses, err = queries.Losses(ctx, db, o.Span); return err }},
		{"ledger by source", func() error { return r.askSources(ctx, db) }},
		{"months", func() error { r.Months, err = queries.Months(ctx, db, o.Span.Location); return err }},
		{"hours", func() error { r.Hours, err = queries.Hours(ctx, db, o.Span); return err }},
		{"messages", func() error { r.Messages, err = queries.Messages(ctx, db, o.Span, mostMessages); return err }},
		{"human", func() error { r.Human, err = queries.Human(ctx, db, o.Span); return err }},
		{"wasted", func() error { r.Wasted, err = queries.Wasted(ctx, db, o.Span); return err }},
		{"outages", func() error { r.Outages, err = analyze.ProviderOutages(ctx, db, o.Span); return err }},
		{"outage of a code", func() error { return r.askOutage(ctx, db) }}, // of what the others found, as the next
		{"reasons why incidents are missing", func() error { return r.askAbsent(ctx, db) }},
		{"rows", func() error { err = r.collectDepth(ctx, db); return err }},
	} {
		if err := question.ask(); err != nil {
			return nil, fmt.Errorf("report: ask for the %s: %w", question.name, err)
		}
	}
	return r, nil
}

// In returns the same report in another language.
func (r *Report) In(lang Lang) *Report {
	other := *r
	other.Lang = lang
	other.Before.name(lang)
	return &other
}

// A Format is a form of the report.
type Format string

// The formats.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	JSON     Format = "json"
	CSV      Format = "csv"
)

// Formats are all formats, in the order that errors name them.
var Formats = []Format{Markdown, HTML, JSON, CSV}

// ParseFormat returns the format of that name. Its error names the known ones.
func ParseFormat(name string) (Format, error) {
	return parse("format", name, Formats)
}

// Render writes the report to w in format.
func (r *Report) Render(w io.Writer, format Format) error {
	switch format {
	case Markdown:
		return r.markdown(w)
	case HTML:
		return r.html(w, pageScript())
	case JSON:
		return r.json(w)
	case CSV:
		return r.csv(w)
	}
	_, err := ParseFormat(string(format))
	return err
}

// parse finds name in known.
func parse[T ~string](what, name string, known []T) (T, error) {
	var names []string
	for _, k := range known {
		if string(k) == name {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("unknown %s %q: known are %s", what, name, strings.Join(names, ", "))
}
