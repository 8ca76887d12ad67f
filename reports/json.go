package reports

import (
	"database/sql"
	"encoding/json"
	"io"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// The JSON form is part of the program's contract: rates are fractions of 1,
// what is not known is null, and a list without entries is [].
type jsonReport struct {
	Month       string               `json:"month"` // 2026-01; another span is first/last day
	Timezone    string               `json:"timezone"`
	Filter      *jsonFilter          `json:"filter,omitempty"` // absent: the report is of everything
	Totals      jsonTotals           `json:"totals"`
	ByCode      []jsonGroup          `json:"by_code"`
	ByTaxonomy  []jsonGroup          `json:"by_taxonomy"`
	ByCategory  []jsonGroup          `json:"by_category"`
	ByAgent     []jsonGroup          `json:"by_agent"`
	ByOperation []jsonGroup          `json:"by_operation"`
	ByProvider  []jsonGroup          `json:"by_provider"`
	ByModel     []jsonGroup          `json:"by_model"`
	Daily       []jsonDay            `json:"daily"`
	Retries     []jsonRetries        `json:"retries"`
	Trend       []jsonMonth          `json:"trend"` // of twelve months; those without incidents have no entry
	Times       []jsonTime           `json:"times_to_resolution"`
	Goals       []jsonGoal           `json:"goals"`
	Hours       []jsonHour           `json:"hours"` // those without incidents have no entry
	Outages     []jsonOutage         `json:"outages"`
	OfMessages  jsonMessageCounts    `json:"message_counts"`
	Messages    []jsonMessage        `json:"messages"`
	Wasted      []jsonWasted         `json:"wasted"`
	Human       []jsonHuman          `json:"human"`
	Ledger      jsonLedger           `json:"ledger"`
	Losses      []jsonLoss           `json:"losses,omitempty"`
	Sources     []jsonSourceLedger   `json:"ledger_by_source"`
	Coverage    []jsonCoverage       `json:"coverage"`
	Suggestions []analyze.Suggestion `json:"suggestions"`
}

type jsonFilter struct {
	Agent     string `json:"agent,omitempty"`
	Operation string `json:"operation,omitempty"`
	Category  string `json:"category,omitempty"`
	Provider  string `json:"provider,omitempty"`
}

type jsonTotals struct {
	Events         int64    `json:"events"`
	Incidents      int64    `json:"incidents"`
	Resolved       int64    `json:"resolved"` // of the rated
	Open           int64    `json:"open"`
	Cancelled      int64    `json:"cancelled"`
	ResolutionRate *float64 `json:"resolution_rate"`
	RetriesMean    *float64 `json:"retries_mean"`

	Rated         int64        `json:"rated"` // incidents that the rate counts
	Human         int64        `json:"human"` // resolved by a human
	WastedRetries int64        `json:"wasted_retries"`
	Change        *jsonChanges `json:"change"`
}

type jsonGroup struct {
	Key            string   `json:"key"`
	Agent          *string  `json:"agent,omitempty"` // of operations only
	Events         int64    `json:"events"`
	Incidents      int64    `json:"incidents"`
	Resolved       int64    `json:"resolved"`
	ResolutionRate *float64 `json:"resolution_rate"`
	RetriesMean    *float64 `json:"retries_mean"`

	Cancelled     int64        `json:"cancelled"`
	Rated         int64        `json:"rated"`
	WastedRetries int64        `json:"wasted_retries"`
	Change        *jsonChanges `json:"change"`
}

type jsonDay struct {
	Day        string         `json:"day"`
	Incidents  int64          `json:"incidents"`
	ByTaxonomy []jsonTaxonomy `json:"by_taxonomy"` // those that occur on the day
}

type jsonTaxonomy struct {
	Key       string `json:"key"`
	Incidents int64  `json:"incidents"`
}

type jsonRetries struct {
	Retries   int64 `json:"retries"`
	Incidents int64 `json:"incidents"`
	Resolved  int64 `json:"resolved"`
	Rated     int64 `json:"rated"`
}

type jsonLedger struct {
	Published    int64 `json:"published"`
	Stored       int64 `json:"stored"`
	Deduplicated int64 `json:"deduplicated"`
	Quarantined  int64 `json:"quarantined"`
	Expired      int64 `json:"expired"`
	Lost         int64 `json:"lost,omitempty"` // of the expired: messages that left the stream before they were stored
	Balanced     bool  `json:"balanced"`
}

// A jsonLoss is what the stream lost before it was stored.
type jsonLoss struct {
	Since    time.Time `json:"since"`
	Noticed  time.Time `json:"noticed"`
	Kind     string    `json:"kind"`
	Messages *uint64   `json:"messages"` // null: nobody knows
}

type jsonSourceLedger struct {
	Source       string `json:"source"`
	Published    int64  `json:"published"`
	Stored       int64  `json:"stored"`
	Deduplicated int64  `json:"deduplicated"`
	Quarantined  int64  `json:"quarantined"`
	Expired      int64  `json:"expired"`
	Found        int64  `json:"found"` // in the store
}

type jsonCoverage struct {
	Source       string `json:"source"`
	Incidents    int64  `json:"incidents"`
	WithAttempts int64  `json:"with_attempts"`
	WithOutcome  int64  `json:"with_outcome"`
	Rated        int64  `json:"rated"`   // the rates count these
	Outside      int64  `json:"outside"` // not cancelled, and no rate counts them
	Attempts     *bool  `json:"attempts"`
	Final        *bool  `json:"final"`
	Recoveries   *bool  `json:"recoveries"` // null: the source is in no list
}

func (r *Report) json(w io.Writer) error {
	t, l := r.Totals, r.Ledger
	out := jsonReport{
		Month:    r.month(),
		Timezone: r.Span.Location.String(),
		Totals: jsonTotals{t.Events, t.Incidents, t.Resolved, t.Open, t.Cancelled,
			pointer(t.ResolutionRate), pointer(t.RetriesMean), t.Rated, t.Human, t.Wasted, r.jsonTotalChanges()},
		ByCode:      r.jsonGroups(queries.ByCode),
		ByTaxonomy:  r.jsonGroups(queries.ByTaxonomy),
		ByCategory:  r.jsonGroups(queries.ByCategory),
		ByAgent:     r.jsonGroups(queries.ByAgent),
		ByOperation: r.jsonGroups(queries.ByOperation),
		ByProvider:  r.jsonGroups(queries.ByProvider),
		ByModel:     r.jsonGroups(queries.ByModel),
		Daily:       r.jsonDays(),
		Retries:     []jsonRetries{},
		Trend:       r.jsonTrend(),
		Times:       r.jsonTimes(),
		Goals:       r.jsonGoals(),
		Hours:       r.jsonHours(),
		Outages:     r.jsonOutages(),
		Wasted:      r.jsonWasted(),
		Human:       r.jsonHuman(),
		Ledger:      jsonLedger{l.Published, l.Stored, l.Deduplicated, l.Quarantined, l.Expired, l.Lost, l.Balanced()},
		Sources:     []jsonSourceLedger{},
		Coverage:    []jsonCoverage{},
		Suggestions: []analyze.Suggestion{},
	}
	out.OfMessages, out.Messages = r.jsonMessages()
	if f := r.Span.Filter; f != (queries.Filter{}) {
		out.Filter = (*jsonFilter)(&f)
	}
	for _, c := range r.Retries {
		out.Retries = append(out.Retries, jsonRetries(c))
	}
	for _, l := range r.Losses {
		out.Losses = append(out.Losses, jsonLoss{l.Since.UTC(), l.Noticed.UTC(), string(l.Kind), pointer(l.Messages)})
	}
	for _, s := range r.Sources {
		if s.Day == "" {
			out.Sources = append(out.Sources, jsonSourceLedger{s.Source, s.Published, s.Stored, s.Deduplicated, s.Quarantined, s.Expired, s.Rows})
		}
	}
	for _, c := range r.Coverage {
		out.Coverage = append(out.Coverage, jsonCoverage{c.Source, c.Incidents, c.WithAttempts, c.WithOutcome,
			c.Rated, c.Outside(), pointer(c.Attempts), pointer(c.Final), pointer(c.Recoveries)})
	}
	for _, s := range r.Suggestions {
		if s.Evidence == nil {
			s.Evidence = []analyze.Evidence{}
		}
		out.Suggestions = append(out.Suggestions, s)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func (r *Report) jsonGroups(d queries.Dimension) []jsonGroup {
	groups := []jsonGroup{}
	for _, g := range r.Groups[d] {
		row := jsonGroup{Key: g.Key, Events: g.Events, Incidents: g.Incidents, Resolved: g.Resolved,
			ResolutionRate: pointer(g.ResolutionRate), RetriesMean: pointer(g.RetriesMean),
			Cancelled: g.Cancelled, Rated: g.Rated, WastedRetries: g.Wasted, Change: r.jsonChanges(g)}
		if d == queries.ByOperation {
			row.Agent = &g.Agent
		}
		groups = append(groups, row)
	}
	return groups
}

func (r *Report) jsonDays() []jsonDay {
	days := []jsonDay{}
	keys := r.shownTaxonomies()
	for _, d := range r.days() {
		day := jsonDay{Day: d.day.Format(time.DateOnly), Incidents: d.total, ByTaxonomy: []jsonTaxonomy{}}
		for _, key := range keys {
			if d.of[key] > 0 {
				day.ByTaxonomy = append(day.ByTaxonomy, jsonTaxonomy{key, d.of[key]})
			}
		}
		days = append(days, day)
	}
	return days
}

func pointer[T any](v sql.Null[T]) *T {
	if !v.Valid {
		return nil
	}
	return &v.V
}
