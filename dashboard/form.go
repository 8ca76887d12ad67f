package dashboard

import (
	"context"
	"maps"
	"slices"
	"time"

	"hansei/classify"
	"hansei/queries"
)

// A form is what a page can be limited to: a time, and filters where it takes
// them. It is sent as the parameters of an address.
type form struct {
	Name                          string // of the period, for people
	Action                        string // the page's own address
	Months                        []string
	Month, From, To               string
	Filters                       bool
	Agents, Operations, Providers []string // to choose from
	Categories                    []choice
	Zones                         []string
	Hidden                        [][2]string // what else the address holds
}

// A choice is an entry of a list.
type choice struct{ Key, Name string }

// zones are offered; any other can be written.
var zones = []string{"UTC", "Asia/Tokyo", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Shanghai", "Australia/Sydney"}

// span reads the time and the filters of a page, and makes its form. Without a
// time it is the month that has the latest incidents.
func (d *Dashboard) span(q *request) (queries.Span, error) {
	values := maps.Clone(q.values)
	values.Set("timezone", q.Timezone)
	if values.Get("from") != "" || values.Get("to") != "" {
		values.Del("month") // a form sends all three
	}
	months, err := d.monthCounts(q)
	if err != nil {
		return queries.Span{}, err
	}
	if values.Get("month") == "" && values.Get("from") == "" && values.Get("to") == "" {
		values.Set("month", d.Now().In(q.location).Format("2006-01"))
		if len(months) > 0 {
			values.Set("month", months[0].Month)
		}
	}
	span, err := d.Span(values)
	if err != nil {
		return span, err
	}
	f := &form{Name: q.Wording.Period(span), Action: q.r.URL.EscapedPath(), Zones: zones,
		Month: values.Get("month"), From: values.Get("from"), To: values.Get("to")}
	for _, m := range months {
		f.Months = append(f.Months, m.Month)
	}
	if f.Month != "" && !slices.Contains(f.Months, f.Month) {
		f.Months = append([]string{f.Month}, f.Months...)
	}
	f.hide(q, "lang")
	q.Form = f
	return span, nil
}

// hide keeps a parameter that the form has no field for.
func (f *form) hide(q *request, name string) {
	if value := q.values.Get(name); value != "" {
		f.Hidden = append(f.Hidden, [2]string{name, value})
	}
}

// filters adds the fields of filters to the form.
func (d *Dashboard) filters(q *request, span queries.Span) error {
	open := span
	open.Filter = queries.Filter{}
	choices, err := remember(d, q, &d.choices, spanKey(open), span.To, func(ctx context.Context, _ answer[[]queries.Choice]) ([]queries.Choice, error) {
		return queries.Choices(ctx, d.Store.Reader(), open)
	})
	if err != nil {
		return err
	}
	f := q.Form
	f.Filters = true
	for _, c := range choices {
		into := map[string]*[]string{"agent": &f.Agents, "operation": &f.Operations, "provider": &f.Providers}[c.Kind]
		if q.Clean(c.Name) == c.Name { // others could not be shown as they are, nor written
			*into = append(*into, c.Name)
		}
	}
	for _, row := range classify.Categories {
		f.Categories = append(f.Categories, choice{string(row.Name), q.Category(string(row.Name))})
	}
	return nil
}

// spanKey is the key of a memory for what depends on a span.
func spanKey(s queries.Span) string {
	f := s.Filter
	key := s.From.UTC().Format(time.RFC3339) + s.To.UTC().Format(time.RFC3339) + s.Location.String()
	for _, part := range []string{f.Agent, f.Operation, f.Category, f.Provider} {
		key += "\x00" + part
	}
	return key
}

// monthCounts returns the months that have incidents, newest first. Only those
// are counted anew that something was written of.
func (d *Dashboard) monthCounts(q *request) ([]queries.MonthCount, error) {
	loc := q.location
	return remember(d, q, &d.months, loc.String(), allTime, func(ctx context.Context, last answer[[]queries.MonthCount]) ([]queries.MonthCount, error) {
		var since time.Time
		if len(last.value) > 0 {
			year, month, _ := d.Store.Since(last.changes).In(loc).Date()
			since = time.Date(year, month, 1, 0, 0, 0, 0, loc)
		}
		months, err := queries.MonthCounts(ctx, d.Store.Reader(), loc, since)
		for _, m := range last.value {
			if m.Month < since.Format("2006-01") {
				months = append(months, m)
			}
		}
		return months, err
	})
}

// Narrowed reports whether the page shows something else than a month of all:
// then the fields for that are open.
func (q *request) Narrowed() bool {
	for _, name := range []string{"from", "to", "agent", "operation", "category", "provider"} {
		if q.Get(name) != "" {
			return true
		}
	}
	return q.Timezone != q.ownZone
}
