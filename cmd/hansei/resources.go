package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hansei/analyze"
	"hansei/classify"
	"hansei/ingest/stream"
	"hansei/queries"
	"hansei/reports"
)

// A resource is a question that commands and the HTTP API ask with the same
// parameters, and its answer.
type resource struct {
	name   string
	about  string                  // its parameters
	spans  bool                    // it needs a month, or from and to
	media  func(url.Values) string // media type of the answer
	answer func(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error
}

// answerTo writes the answer to values. What is not UTF-8 is refused here, once
// for all: the store holds and takes nothing else.
func (r *resource) answerTo(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	for name, all := range values {
		for _, value := range all {
			if !utf8.ValidString(name) || !utf8.ValidString(value) {
				return usageError{fmt.Errorf("parameter %q is not UTF-8", name)}
			}
		}
	}
	return r.answer(ctx, p, values, w)
}

// doctorResource is answered by a store that takes nothing, too.
const doctorResource = "doctor"

// resources lists what can be asked.
var resources = []resource{
	{"report", "the report of a month or of from and to: format, lang, timezone, agent, operation, category, provider, goals (the text of a file)", true, reportMedia, answerReport},
	{"tune", "suggestions: month or from and to, format, emit, timezone, worth_s, token_price_s (of a thousand), dollar_price_s, agent, operation, category", true, tuneMedia, answerTune},
	{"replay", "incidents under policies: policy, against, month or from and to, format, lang, worth_s, token_price_s, dollar_price_s, agent, operation, category", false, queryMedia, answerReplay},
	{"decide", "keep a decision: ids, decision, who, reason, known (when the latest decision that was seen was made), month or from and to", false, queryMedia, answerDecide},
	{"policies", "put a policy file in force: policies, base, modified, who, path, reason, force, check, changes", false, queryMedia, answerPolicies},
	{"policies/file", "the policy file in force", false, queryMedia, answerPolicyFile},
	{"query", "a read-only query: sql, format", false, queryMedia, answerQuery},
	{"quarantine", "bad input: id, most, format", false, queryMedia, answerQuarantine},
	{"quarantine/requeue", "bad input read again: ids or all, edit, timezone", false, jsonMedia, answerRequeue},
	{"quarantine/drop", "bad input deleted: ids or all", false, jsonMedia, answerDrop},
	{"export", "the events as Parquet files in a tar archive", false, tarMedia, answerExport},
	{"deliver", "a report to people: kind, period, again, dry_run", false, queryMedia, answerDeliver},
	{"deliver/log", "what was delivered: format", false, queryMedia, answerDeliverLog},
	{doctorResource, "what serve says of itself", false, queryMedia, answerDoctor},
	{"retag", "what other rules would move: rules, apply", false, queryMedia, answerRetag},
	{"unmatched", "what no rule matched: month, most", false, queryMedia, answerUnmatched},
	{"sources", "what came from each source", false, jsonMedia, answerSources},
	{"told", "what agents told of requests: sessions, from, to", false, jsonMedia, answerTold},
	{"receipt", "what became of messages: ranges", false, jsonMedia, answerReceipt},
}

func resourceNamed(name string) (*resource, error) {
	for i := range resources {
		if resources[i].name == name {
			return &resources[i], nil
		}
	}
	return nil, fmt.Errorf("no resource %q", name)
}

// onlyFields refuses parameters that are not known, and those given twice.
func onlyFields(values url.Values, known []string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("parameter %.40q is not known; known are %s", name, strings.Join(known, ", "))
		}
		if len(values[name]) > 1 {
			return fmt.Errorf("parameter %s is given %d times", name, len(values[name]))
		}
	}
	return nil
}

func jsonMedia(url.Values) string { return "application/json" }

func answerReceipt(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	var ranges []stream.Range
	if err := json.Unmarshal([]byte(values.Get("ranges")), &ranges); err != nil {
		return usageError{fmt.Errorf("ranges: %v", err)}
	}
	if err := rangesError(ranges); err != nil {
		return usageError{err}
	}
	position := p.stored()
	for _, r := range ranges {
		position.Sequence = max(position.Sequence, r.Last)
	}
	if err := p.reach(ctx, position); err != nil {
		return err
	}
	offset, err := queries.StoredOffset(ctx, p.store.Reader(), position.Stream, position.Created)
	if err != nil {
		return err
	}
	got, err := queries.ReceiptOf(ctx, p.store.Reader(), offset.Base, values.Get("ranges"))
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(importLedger{Stored: got.Stored, Quarantined: got.Quarantined})
}

// spanOf reads a span from month, or from and to, in timezone.
func spanOf(values url.Values) (queries.Span, error) {
	loc, err := locationOf(values)
	if err != nil {
		return queries.Span{}, err
	}
	month, from, to := values.Get("month"), values.Get("from"), values.Get("to")
	if from == "" && to == "" {
		start, err := time.ParseInLocation("2006-01", month, loc)
		if err != nil {
			return queries.Span{}, usageError{fmt.Errorf("month %q is not a month; write it like 2026-01", month)}
		}
		return queries.Month(start.Year(), start.Month(), loc), nil
	}
	if month != "" {
		return queries.Span{}, usageError{fmt.Errorf("month and from/to exclude each other; give one of them")}
	}
	span := queries.Span{Location: loc}
	for _, end := range []struct {
		name, text string
		into       *time.Time
	}{{"from", from, &span.From}, {"to", to, &span.To}} {
		if *end.into, err = time.ParseInLocation(time.DateOnly, end.text, loc); err != nil {
			return span, usageError{fmt.Errorf("%s %q is not a day; give both from and to like 2026-01-31", end.name, end.text)}
		}
	}
	span.To = span.To.AddDate(0, 0, 1) // the last day is part of it
	if !span.From.Before(span.To) {
		return span, usageError{fmt.Errorf("from %s lies after to %s", from, to)}
	}
	if span.From.AddDate(maxYears, 0, 0).Before(span.To) {
		return span, usageError{fmt.Errorf("from %s to %s is longer than %d years, the most that is told at once", from, to, maxYears)}
	}
	return span, nil
}

// maxYears is the longest span: a report holds every day of it, and with the
// 3.7 million days from year 1 to 9999 it took 5.7 GB.
const maxYears = 10

// filterOf reads which incidents are asked for.
func filterOf(values url.Values) (queries.Filter, error) {
	f := queries.Filter{
		Agent:     values.Get("agent"),
		Operation: strings.TrimPrefix(values.Get("operation"), "/"), // as events lose it
		Category:  values.Get("category"),
		Provider:  values.Get("provider"),
	}
	var names []string
	for _, row := range classify.Categories {
		names = append(names, string(row.Name))
	}
	if f.Category != "" && !slices.Contains(names, f.Category) {
		return f, usageError{fmt.Errorf("category %q is not known; known are %s", f.Category, strings.Join(names, ", "))}
	}
	return f, nil
}

func locationOf(values url.Values) (*time.Location, error) {
	name := values.Get("timezone")
	if name == "" {
		name = "UTC"
	}
	loc, err := loadLocation(name)
	if err != nil {
		return nil, usageError{fmt.Errorf("timezone %s: %v; name it like Asia/Tokyo or UTC", name, err)}
	}
	return loc, nil
}

// loadLocation loads a time zone by a name that DuckDB knows as well. Go alone
// knows Local, and the files beside the zones of a system, whose names are not
// capitalized: localtime, posixrules, posix/…, right/….
func loadLocation(name string) (*time.Location, error) {
	switch {
	case name == "Local" || name == "localtime":
		return nil, errors.New("it depends on the machine")
	case name != "" && (name[0] < 'A' || name[0] > 'Z'):
		return nil, errors.New("no zone has that name")
	}
	return time.LoadLocation(name)
}

func reportMedia(values url.Values) string {
	switch values.Get("format") {
	case "html":
		return "text/html; charset=utf-8"
	case "json":
		return "application/json"
	case "csv":
		return "text/csv; charset=utf-8"
	}
	return "text/markdown; charset=utf-8"
}

func answerReport(ctx context.Context, p *pipeline, values url.Values, w io.Writer) error {
	format, err := reports.ParseFormat(cmp.Or(values.Get("format"), "md"))
	if err != nil {
		return usageError{err}
	}
	report, err := collectReport(ctx, p, values, format == reports.HTML)
	if err != nil {
		return err
	}
	return report.Render(w, format)
}

// collectReport collects the report that values ask for, with what is behind
// its rows where it is to be shown.
func collectReport(ctx context.Context, p *pipeline, values url.Values, behind bool) (*reports.Report, error) {
	span, err := spanOf(values)
	if err != nil {
		return nil, err
	}
	lang, err := reports.ParseLang(cmp.Or(values.Get("lang"), "en"))
	if err != nil {
		return nil, usageError{err}
	}
	tuning, err := tuningOf(ctx, p, span, values, analyze.TuneOptions{})
	if err != nil {
		return nil, err
	}
	if span.Filter, err = filterOf(values); err != nil {
		return nil, err
	}
	return collectWith(ctx, p, values, reports.Options{Span: span, Lang: lang, Suggestions: tuning.Suggestions, Decisions: tuning.Decisions, Oddities: tuning.Notes, Behind: behind})
}

// collectWith is collectReport for whoever has the suggestions.
func collectWith(ctx context.Context, p *pipeline, values url.Values, o reports.Options) (_ *reports.Report, err error) {
	if o.Goals, err = goalsOf(p, values); err != nil {
		return nil, err
	}
	db, err := p.store.Current(ctx)
	if err != nil {
		return nil, err
	}
	return reports.Collect(ctx, db, o)
}

// goalsFile lies in the data folder, for reports that nobody gives goals to.
const goalsFile = "goals.yaml"

// goalsOf reads the goals that came with the request, or those of the data
// folder, which may have none.
func goalsOf(p *pipeline, values url.Values) ([]reports.Goal, error) {
	name, text := "goals", []byte(values.Get("goals"))
	if len(text) == 0 && p.folder != nil {
		name = filepath.Join(p.folder.path, goalsFile)
		var err error
		if text, err = os.ReadFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the goals: %w", err)
		}
	}
	goals, err := reports.ParseGoals(name, text)
	if err != nil {
		return nil, usageError{err}
	}
	return goals, nil
}

// goalsStamp changes when the goals of the data folder do.
func (p *pipeline) goalsStamp() string {
	if p.folder == nil {
		return ""
	}
	info, err := os.Stat(filepath.Join(p.folder.path, goalsFile))
	if err != nil {
		return err.Error() // mostly that there is none
	}
	return info.ModTime().String() + strconv.FormatInt(info.Size(), 10)
}

// chains returns what [analyze.Tune] and [analyze.Replay] ask, after the chains
// of span have been kept.
func (p *pipeline) chains(ctx context.Context, span queries.Span) (queries.DB, error) {
	if err := p.store.KeepChains(ctx, span, time.Now()); err != nil {
		p.log.Warn("what the tuner read of the incidents is not kept; the next hansei tune of this time reads it again", "err", err)
	}
	return p.store.Current(ctx)
}

func tuningOf(ctx context.Context, p *pipeline, span queries.Span, values url.Values, o analyze.TuneOptions) (*analyze.Tuning, error) {
	o, err := pricesOf(values, o)
	if err != nil {
		return nil, err
	}
	db, err := p.chains(ctx, span)
	if err != nil {
		return nil, err
	}
	return analyze.Tune(ctx, db, span, o)
}

// mostWorth is the most that a resolution may be worth, a thousand tokens or a
// dollar may cost, in seconds: a year.
const mostWorth = 366 * 24 * 3600

// pricesOf reads what a resolution is worth, and what tokens and dollars cost,
// into o; what is not given is left to the tuner.
func pricesOf(values url.Values, o analyze.TuneOptions) (analyze.TuneOptions, error) {
	worth, set, err := secondsOf(values, "worth_s", "worth of a resolution")
	if err == nil && set && worth == 0 {
		err = usageError{errors.New("worth of a resolution 0: want seconds above 0")}
	}
	if err != nil {
		return o, err
	}
	o.Worth = time.Duration(worth * float64(time.Second))
	tokens, set, err := secondsOf(values, "token_price_s", "price of a thousand tokens")
	if err != nil {
		return o, err
	}
	if o.TokenPrice = tokens / 1000; set && tokens == 0 {
		o.TokenPrice = -1 // nothing
	}
	if o.DollarPrice, set, err = secondsOf(values, "dollar_price_s", "price of a dollar"); set && o.DollarPrice == 0 {
		o.DollarPrice = -1
	}
	return o, err
}

// secondsOf reads a number of seconds; false: it is not given.
func secondsOf(values url.Values, name, what string) (v float64, set bool, err error) {
	text := values.Get(name)
	if text == "" {
		return 0, false, nil
	}
	v, err = strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= mostWorth) {
		return 0, false, usageError{fmt.Errorf("%s %q: want seconds, a year's at most", what, text)}
	}
	return v, true, nil
}
