package reports

import (
	"database/sql"
	"math"
	"time"

	"hansei/queries"
)

type jsonHour struct {
	Weekday   int64 `json:"weekday"` // 1 is Monday
	Hour      int64 `json:"hour"`    // 0 to 23
	Incidents int64 `json:"incidents"`
}

type jsonOutage struct {
	Provider  string    `json:"provider"`
	Category  string    `json:"category"`
	From      time.Time `json:"from"`
	To        time.Time `json:"to"` // exclusive
	Incidents int       `json:"incidents"`
	Agents    int       `json:"agents"`    // of its busiest hour
	BusyHour  int       `json:"busy_hour"` // incidents of a busy hour without an outage
}

// A jsonMessage is one fingerprint: the list has the most frequent, and of the
// new and the returned the most frequent.
type jsonMessage struct {
	Fingerprint    string    `json:"fingerprint"`
	Text           string    `json:"text"` // of the first incident, unshortened
	Operation      string    `json:"operation"`
	Category       string    `json:"category"`
	Incidents      int64     `json:"incidents"`
	Resolved       int64     `json:"resolved"`
	Rated          int64     `json:"rated"`
	ResolutionRate *float64  `json:"resolution_rate"`
	FirstSeen      time.Time `json:"first_seen"` // in all history
	LastSeen       time.Time `json:"last_seen"`  // in the report's time
	Mark           *string   `json:"mark"`       // new, returned or null, also where there is nothing older to compare with
}

// jsonMessageCounts are of all messages, not only of the listed ones.
type jsonMessageCounts struct {
	Messages int64  `json:"messages"`
	New      *int64 `json:"new"` // null: there is nothing older to compare with
	Returned *int64 `json:"returned"`
}

type jsonWasted struct {
	Category  string `json:"category"`
	Operation string `json:"operation"`
	Retries   int64  `json:"retries"`
	Incidents int64  `json:"incidents"`
	Tried     int64  `json:"tried"`     // incidents with retries, those that one resolved included
	WaitedMS  *int64 `json:"waited_ms"` // null: no event tells
	Tokens    *int64 `json:"tokens"`
}

type jsonHuman struct {
	Category  string   `json:"category"`
	Operation string   `json:"operation"`
	Human     int64    `json:"human"`
	Incidents int64    `json:"incidents"` // all of that category and operation but the cancelled
	Retries   int64    `json:"retries"`   // made before
	MedianS   *float64 `json:"median_s"`  // seconds from the first failure to the end
}

func (r *Report) jsonHours() []jsonHour {
	rows := []jsonHour{}
	for _, h := range r.Hours {
		rows = append(rows, jsonHour(h))
	}
	return rows
}

func (r *Report) jsonOutages() []jsonOutage {
	rows := []jsonOutage{}
	for _, o := range r.Outages {
		rows = append(rows, jsonOutage{o.Provider, o.Category, r.local(o.From), r.local(o.To), o.Incidents, o.Agents, o.Usual})
	}
	return rows
}

func (r *Report) jsonMessages() (counts jsonMessageCounts, rows []jsonMessage) {
	rows = []jsonMessage{}
	for _, m := range r.Messages {
		counts.Messages = m.Messages
		if m.Comparable {
			counts.New, counts.Returned = &m.New, &m.Returned
		}
		rows = append(rows, jsonMessage{m.Fingerprint, m.Text, m.Operation, m.Category, m.Incidents, m.Resolved, m.Rated,
			pointer(quotient(m.Resolved, m.Rated)), r.local(m.FirstSeen), r.local(m.LastSeen), markOf(m)})
	}
	return counts, rows
}

// markOf is the mark of a message; nil where it has none.
func markOf(m queries.Message) *string {
	if !m.Comparable || m.Mark == "" {
		return nil
	}
	return &m.Mark
}

func (r *Report) jsonWasted() []jsonWasted {
	rows := []jsonWasted{}
	for _, g := range r.Wasted {
		rows = append(rows, jsonWasted{g.Category, g.Operation, g.Retries, g.Incidents, g.Tried, pointer(g.WaitedMS), pointer(g.Tokens)})
	}
	return rows
}

func (r *Report) jsonHuman() []jsonHuman {
	rows := []jsonHuman{}
	for _, g := range r.Human {
		rows = append(rows, jsonHuman{g.Category, g.Operation, g.Human, g.Incidents, g.Retries, pointer(thousandths(g.Seconds))})
	}
	return rows
}

// thousandths leaves out the noise below a millisecond.
func thousandths(seconds sql.Null[float64]) sql.Null[float64] {
	seconds.V = math.Round(1000*seconds.V) / 1000
	return seconds
}

// local is a time in the report's zone.
func (r *Report) local(t time.Time) time.Time { return t.In(r.Span.Location) }
