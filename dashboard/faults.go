package dashboard

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"hansei/queries"
)

// faults lists what failed by fingerprint: the same failure whatever names and
// numbers stand in its message.
var faults = Page{Path: "/faults", Name: text{EN: "Faults", JA: "エラーの種類"}, Show: (*Dashboard).faultList}

type faultsPage struct {
	Shows []choice
	Show  string
	Rows  []queries.Fault
	Next  string
	Paged bool
}

func (d *Dashboard) faultList(q *request) error {
	span, err := d.span(q)
	if err != nil {
		return err
	}
	if err := d.filters(q, span); err != nil {
		return err
	}
	q.Form.hide(q, "show")
	data := faultsPage{Show: q.Get("show"), Paged: q.Get("after") != "", Shows: []choice{
		{queries.AllFaults, q.say(text{EN: "All", JA: "すべて"})},
		{queries.NewFaults, q.say(text{EN: "New", JA: "新規"})},
		{queries.ReturnedFaults, q.say(text{EN: "Returned", JA: "再発"})},
	}}
	if !known(data.Shows, data.Show) {
		return &InputError{Err: fmt.Errorf("show %q: want new or returned, or leave it out", data.Show)}
	}
	var after sql.Null[queries.FaultPlace]
	if text := q.Get("after"); text != "" {
		count, fingerprint, ok := strings.Cut(text, " ")
		if after.V.Incidents, err = strconv.ParseInt(count, 10, 64); err != nil || !ok {
			return &InputError{Err: fmt.Errorf("after %q is no place in the list; begin with its first page", text)}
		}
		after.V.Fingerprint, after.Valid = fingerprint, true
	}
	data.Rows, err = remember(d, q, &d.faults, spanKey(span)+"\x00"+data.Show+"\x00"+q.Get("after"), span.To,
		func(ctx context.Context, _ answer[[]queries.Fault]) ([]queries.Fault, error) {
			return queries.Faults(ctx, d.Store.Reader(), span, data.Show, after, perPage+1)
		})
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	if len(data.Rows) > perPage {
		data.Rows = data.Rows[:perPage]
		last := data.Rows[perPage-1]
		data.Next = q.Here("after", strconv.FormatInt(last.Incidents, 10)+" "+last.Fingerprint)
	}
	q.Data = data
	return d.show(q, "faults")
}

// Rated is how many incidents of a fault its resolution rate rests on.
func (q *request) Rated(f queries.Fault) int64 { return f.Incidents - f.Cancelled }
