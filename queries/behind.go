package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

var (
	//go:embed behind.sql
	behindSQL string
	//go:embed stories.sql
	storiesSQL string
)

// The dimensions of [Behind] besides those of [Breakdown]. Human and wasted have
// category and operation as key, with a space between.
const (
	BySource  Dimension = "source"
	ByRetries Dimension = "retries"
	ByDay     Dimension = "day"     // 2026-01-31, in the span's zone
	ByWeekday Dimension = "weekday" // 1 is Monday
	ByHuman   Dimension = "human"
	ByWasted  Dimension = "wasted"
	ByMessage Dimension = "message" // a fingerprint
	ByOutage  Dimension = "outage"
	ByCell    Dimension = "cell" // see [CellKey]
)

// A Row names a row of the report: a key of a dimension, with the agent of an
// operation.
type Row struct {
	Dimension  Dimension
	Key, Agent string
}

// An IncidentKey names an incident.
type IncidentKey struct {
	Agent    string `json:"agent"`
	Incident string `json:"incident"`
}

// A RowMessage is a row of behind.sql: one message of a row of the report.
type RowMessage struct {
	Row
	Fingerprint         string
	Incidents           int64
	FirstSeen, LastSeen time.Time     // in the span
	Messages            int64         // of the row, shown here or not
	Examples            []IncidentKey // 3 at most
	examples            string        // as JSON
}

// An OutageKey is an outage whose incidents are asked for.
type OutageKey struct {
	Key      string    `json:"key"`
	Provider string    `json:"provider"`
	Category string    `json:"category"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
}

// CellKey is the key of a cell of agent, operation and category.
func CellKey(agent, operation, category string) string {
	return strings.Join([]string{agent, operation, category}, "\x1f")
}

// Keys are the rows of [Behind] that are asked for by name.
type Keys struct {
	Fingerprints []string
	Outages      []OutageKey
	Cells        []string // see [CellKey]
}

// Behind returns the most frequent messages behind the rows of the report,
// among them those of keys.
func Behind(ctx context.Context, db DB, span Span, keys Keys) ([]RowMessage, error) {
	args := append(span.filteredAndZone(), sql.Named("messages", list(keys.Fingerprints)),
		sql.Named("outages", list(keys.Outages)), sql.Named("cells", list(keys.Cells)))
	rows, err := collect(ctx, db, behindSQL, args, func(r *RowMessage) []any {
		return []any{&r.Dimension, &r.Key, &r.Agent, &r.Fingerprint, &r.Incidents, &r.FirstSeen, &r.LastSeen, &r.Messages, &r.examples}
	})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if err := json.Unmarshal([]byte(rows[i].examples), &rows[i].Examples); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// list is a list as JSON, [] where it is empty.
func list[T any](of []T) string {
	if len(of) == 0 {
		return "[]"
	}
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // strings and times marshal
	}
	return string(text)
}

// A StoryEvent is a row of stories.sql: one event of an incident.
type StoryEvent struct {
	IncidentKey
	Operation, Category, Outcome, Fingerprint string // of the incident
	Kind                                      string
	Time                                      time.Time
	Attempt, WaitMS                           sql.Null[int64]
	Code, Message, Resolution                 string
	Provider, Model                           string
	Events, Place                             int64 // of the incident; from 1

	whole bool // Events is all that the incident has
}

// Stories returns the events of incidents that opened in span, of each the
// first nine and the last. It looks for them as long again as span is after its
// end, and only where one has later ones in all that is stored.
func Stories(ctx context.Context, db DB, span Span, of []IncidentKey) ([]StoryEvent, error) {
	near, err := stories(ctx, db, span, of, span.To.Add(span.To.Sub(span.From)))
	if err != nil || !slices.ContainsFunc(near, func(e StoryEvent) bool { return !e.whole }) {
		return near, err
	}
	return stories(ctx, db, span, of, latest)
}

// latest is after all events: the wire form of times knows four digits of a year.
var latest = time.Date(10_000, 1, 2, 0, 0, 0, 0, time.UTC)

func stories(ctx context.Context, db DB, span Span, of []IncidentKey, until time.Time) ([]StoryEvent, error) {
	args := append(span.bounds(), sql.Named("until", until.UTC()), sql.Named("incidents", list(of)))
	return collect(ctx, db, storiesSQL, args, func(r *StoryEvent) []any {
		return []any{&r.Agent, &r.Incident, &r.Operation, &r.Category, &r.Outcome, &r.Fingerprint, &r.Kind, &r.Time, &r.Attempt, &r.WaitMS,
			&r.Code, &r.Message, &r.Resolution, &r.Provider, &r.Model, &r.Events, &r.Place, &r.whole}
	})
}
