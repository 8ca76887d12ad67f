package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hansei/queries"
)

// benchQuestions are the report, made anew each time, and every page as serve
// answers it: in the month with the latest events, and where it is asked
// otherwise than at first.
func benchQuestions(ctx context.Context, p *pipeline, handler http.Handler) ([]benchQuestion, error) {
	db, err := p.store.Current(ctx)
	if err != nil {
		return nil, err
	}
	months, err := queries.Months(ctx, db, time.UTC)
	if err != nil || len(months) < 2 {
		return nil, fmt.Errorf("months of the store: %v, %w; it needs two", months, err)
	}
	found, err := queries.FoundIncidents(ctx, db, queries.Search{Span: queries.Always(), Most: 1})
	if err != nil {
		return nil, err
	}
	one := found[0]                           // there are months
	month := url.Values{"month": {months[1]}} // one that is over
	report := url.Values{"month": month["month"], "format": {"html"}}
	questions := []benchQuestion{{"report made anew", func(ctx context.Context) error { return answerReport(ctx, p, report, new(benchPage)) }}}
	for _, page := range []struct {
		path   string
		values url.Values
	}{
		{"/", nil},
		{"/", url.Values{"timezone": {"Asia/Tokyo"}}},
		{"/report", nil},
		{"/report", url.Values{"lang": {"ja"}}},
		{"/report", month},
		{"/report", url.Values{"agent": {one.Agent}}},
		{"/incidents", nil},
		{"/incidents", month},
		{"/incidents", url.Values{"text": {"too many requests"}}},
		{"/incidents", url.Values{"text": {"that nobody ever wrote"}}},
		{"/incidents", url.Values{"state": {"unresolved"}, "agent": {one.Agent}}},
		{"/incident", url.Values{"of": {one.Agent}, "id": {one.Incident}, "at": {strconv.FormatInt(one.OpenedAt.UnixMicro(), 10)}}},
		{"/faults", nil},
		{"/faults", url.Values{"show": {"new"}}},
		{"/suggestions", nil},
		{"/live", nil},
		{"/rules", url.Values{"message": {"429 Too Many Requests"}}},
		{"/sources", nil},
		{"/deliveries", nil},
	} {
		address := page.path
		if len(page.values) > 0 {
			address += "?" + page.values.Encode()
		}
		questions = append(questions, benchQuestion{address, func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1"+address, nil)
			if err != nil {
				return err
			}
			w := &benchPage{header: http.Header{}, code: http.StatusOK}
			if handler.ServeHTTP(w, r); w.code != http.StatusOK {
				return fmt.Errorf("%s: %s", r.URL, http.StatusText(w.code))
			}
			return nil
		}})
	}
	return questions, nil
}

// A benchQuestion is one that people ask.
type benchQuestion struct {
	name string
	ask  func(ctx context.Context) error
}

// A benchPage takes a page and keeps only how it went.
type benchPage struct {
	header http.Header
	code   int
}

func (w *benchPage) Header() http.Header         { return w.header }
func (w *benchPage) WriteHeader(code int)        { w.code = code }
func (w *benchPage) Write(b []byte) (int, error) { return len(b), nil }

// seldom is how often a page is asked for each time that the report is made
// anew, which would leave the machine no time for anything else.
const seldom = 10

// askEach asks each question so often, in turn, and returns what each took, in
// the order of the runs. The first one is asked seldom.
func askEach(ctx context.Context, questions []benchQuestion, runs int) ([][]time.Duration, error) {
	took := make([][]time.Duration, len(questions))
	for run := range runs {
		for i, q := range questions {
			if i == 0 && run%seldom > 0 {
				continue
			}
			start := time.Now()
			if err := q.ask(ctx); err != nil {
				return nil, fmt.Errorf("%s: %w", q.name, err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	return took, nil
}

// at is the time that so many hundredths of the runs did not pass, by the
// nearest rank: of fewer than a hundred, 99 is the longest.
func at(runs []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(runs))
	return sorted[(len(sorted)*percent+99)/100-1]
}
