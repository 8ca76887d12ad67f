package dashboard

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"hansei/queries"
)

// incidents finds incidents.
var incidents = Page{Path: "/incidents", Name: text{EN: "Incidents", JA: "インシデント"}, Show: (*Dashboard).incidents}

// perPage is how many rows a page of a list has.
const perPage = 50

type incidentsPage struct {
	States []choice
	Rows   []queries.FoundIncident
	Next   string // address of the page behind; empty: this is the last
	Paged  bool   // this is not the first
}

func (d *Dashboard) incidents(q *request) error {
	span, err := d.span(q)
	if err != nil {
		return err
	}
	if err := d.filters(q, span); err != nil {
		return err
	}
	q.Form.hide(q, "fingerprint")
	q.Form.hide(q, "code")
	search := queries.Search{Span: span, Text: q.Get("text"), Fingerprint: q.Get("fingerprint"), Code: q.Get("code"), State: queries.State(q.Get("state")), Most: perPage + 1}
	data := incidentsPage{Paged: q.Get("after") != "", States: []choice{
		{"", q.say(text{EN: "all", JA: "すべて"})},
		{string(queries.Open), q.say(text{EN: "open", JA: "未完了"})},
		{string(queries.Resolved), q.say(text{EN: "resolved", JA: "解決"})},
		{string(queries.Unresolved), q.say(text{EN: "ended otherwise", JA: "未解決で終了"})},
	}}
	if !known(data.States, string(search.State)) {
		return &InputError{Err: fmt.Errorf("state %q: want open, resolved or unresolved", search.State)}
	}
	if search.After, err = q.place(); err != nil {
		return err
	}
	data.Rows, err = remember(d, q, &d.found, fmt.Sprintf("%s %q %q %q %q %v", spanKey(span), search.Text, search.Fingerprint, search.Code, search.State, search.After), span.To,
		func(ctx context.Context, _ answer[[]queries.FoundIncident]) ([]queries.FoundIncident, error) {
			return queries.FoundIncidents(ctx, d.Store.Reader(), search)
		})
	if err != nil {
		return fmt.Errorf("find incidents: %w", err)
	}
	if len(data.Rows) > perPage {
		data.Rows = data.Rows[:perPage]
		last := data.Rows[perPage-1]
		data.Next = q.Here("after", strconv.FormatInt(last.OpenedAt.UnixMicro(), 10), "after_agent", last.Agent, "after_incident", last.Incident)
	}
	q.Data = data
	return d.show(q, "incidents")
}

// place is behind which incident the list goes on.
func (q *request) place() (place sql.Null[queries.IncidentPlace], err error) {
	after := q.Get("after")
	if after == "" {
		return place, nil
	}
	opened, err := placeInTime(after)
	if err != nil {
		return place, &InputError{Err: fmt.Errorf("after %q is no place in the list; leave it out to begin with the first page", after)}
	}
	place.V = queries.IncidentPlace{OpenedAt: opened, Agent: q.Get("after_agent"), Incident: q.Get("after_incident")}
	place.Valid = true
	return place, nil
}

// placeInTime reads a time in microseconds, as addresses hold it.
func placeInTime(text string) (time.Time, error) {
	micros, err := strconv.ParseInt(text, 10, 64)
	t := time.UnixMicro(micros).UTC()
	if err == nil && (t.Year() < 0 || t.Year() > 10_000) {
		err = errors.New("no event can have that time") // nor can the store hold it
	}
	return t, err
}

func known(choices []choice, key string) bool {
	for _, c := range choices {
		if c.Key == key {
			return true
		}
	}
	return false
}

// IncidentLink is the address of an incident's page; the time lets the store
// find it at once.
func (q *request) IncidentLink(agent, incident string, opened time.Time) string {
	return q.Link("/incident", "of", agent, "id", incident, "at", strconv.FormatInt(opened.UnixMicro(), 10))
}
