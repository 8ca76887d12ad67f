package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"hansei/queries"
)

// sources tells what came from where, what became of it, and what could not be read.
var sources = Page{Path: "/sources", Name: text{EN: "Sources", JA: "情報源"}, Show: (*Dashboard).sources, Post: (*Dashboard).treat}

// silentAfter is when a source counts as silent: longer than a night.
const silentAfter = 24 * time.Hour

// maxQuarantine is how much bad input is listed.
const maxQuarantine = 50

// ledgers are the books and the coverage of all sources.
type ledgers struct {
	books    []queries.SourceBook
	coverage []queries.SourceCoverage
	bad      []queries.Quarantined
	badSize  int64
	losses   []queries.Loss
}

type sourcesPage struct {
	Rows    []sourceRow
	Total   queries.SourceLedger
	Off     int64 // events that the books lack
	Lost    []string
	Bad     []queries.Quarantined
	BadSize int64
}

type sourceRow struct {
	queries.SourceBook
	Coverage queries.SourceCoverage // of the period
	Last     time.Time              // event; zero: none
	Exact    bool                   // Last is of the event, not of its hour
	Silent   bool
}

func (d *Dashboard) sources(q *request) error {
	span, err := d.span(q)
	if err != nil {
		return err
	}
	span.Filter = queries.Filter{} // the books know none
	got, err := remember(d, q, &d.books, spanKey(span), allTime, func(ctx context.Context, _ answer[*ledgers]) (*ledgers, error) { return d.ledgers(ctx, span) })
	if err != nil {
		return err
	}
	always := queries.Always()
	always.Location = q.location
	data := sourcesPage{Bad: got.bad, BadSize: got.badSize, Lost: q.Wording.Lost(got.losses, always)}
	for _, b := range got.books {
		row := sourceRow{SourceBook: b, Last: cmp.Or(b.Latest.V, b.LastHour.V), Exact: b.Latest.Valid}
		row.Silent = !row.Last.IsZero() && d.Now().Sub(row.Last) > silentAfter
		for _, c := range got.coverage {
			if c.Source == b.Source {
				row.Coverage = c
			}
		}
		data.Rows = append(data.Rows, row)
		t := &data.Total
		t.Published += b.Published
		t.Stored += b.Stored
		t.Deduplicated += b.Deduplicated
		t.Quarantined += b.Quarantined
		t.Expired += b.Expired
	}
	t := data.Total
	data.Off = t.Published - t.Stored - t.Deduplicated - t.Quarantined - t.Expired
	q.Data = data
	return d.show(q, "sources")
}

func (d *Dashboard) ledgers(ctx context.Context, span queries.Span) (*ledgers, error) {
	l, db := &ledgers{}, d.Store.Reader()
	var err error
	if l.books, err = queries.SourceBooks(ctx, db); err != nil {
		return nil, fmt.Errorf("books: %w", err)
	}
	if l.coverage, err = queries.Coverage(ctx, db, span); err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	if l.bad, err = queries.Quarantine(ctx, db, "", maxQuarantine); err != nil {
		return nil, fmt.Errorf("quarantine: %w", err)
	}
	if l.losses, err = queries.Losses(ctx, db, queries.Always()); err != nil {
		return nil, fmt.Errorf("losses: %w", err)
	}
	l.badSize, err = queries.QuarantineSize(ctx, db)
	return l, err
}

// treat reads one piece of bad input again, or drops it, as the commands do.
func (d *Dashboard) treat(q *request) error {
	id := q.Get("id")
	bad, err := queries.Quarantine(q.r.Context(), d.Store.Reader(), id, 1)
	if err != nil {
		return err
	}
	if id == "" || len(bad) == 0 {
		return &InputError{Err: fmt.Errorf("nothing in quarantine has the id %q: it was read again or dropped before", id)}
	}
	ids, err := json.Marshal([]string{id})
	if err != nil {
		return err
	}
	values := url.Values{"ids": {string(ids)}, "timezone": {q.Timezone}}
	name := ""
	switch do := q.Get("do"); do {
	case "requeue":
		name = "quarantine/requeue"
		// The form shows marks that hide text written out, and a browser ends
		// lines in its own way: an unchanged text is read again as it came.
		if edit := lineEnds.Replace(q.Get("edit")); edit != "" && edit != lineEnds.Replace(q.Whole(bad[0].Raw)) {
			values.Set("edit", edit)
		}
	case "drop":
		name = "quarantine/drop"
	default:
		return &InputError{Err: fmt.Errorf("do %q: want requeue or drop", do)}
	}
	if err := d.Do(q.r.Context(), name, values); err != nil {
		return err
	}
	d.books.forget()
	return q.seeOther(q.Link("/sources") + "#quarantine")
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
