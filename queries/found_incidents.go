package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed found_incidents.sql
var foundIncidentsSQL string

// A Search says which incidents are looked for. Span must be set; what is
// empty is not looked at.
type Search struct {
	Span
	Text              string // in message, operation or incident, in either case
	Fingerprint, Code string
	State             State
	After             sql.Null[IncidentPlace] // the last one of the page before
	Most              int
}

// A State is how far an incident has come.
type State string

// The states.
const (
	Open       State = "open"
	Resolved   State = "resolved"
	Unresolved State = "unresolved" // ended otherwise
)

// An IncidentPlace is where an incident stands in the order of a search.
type IncidentPlace struct {
	OpenedAt        time.Time
	Agent, Incident string
}

// A FoundIncident is a row of found_incidents.sql.
type FoundIncident struct {
	IncidentPlace
	Operation, Code, Message, Category, Resolution string
	Resolved                                       bool
	Attempts                                       sql.Null[int64]
}

// FoundIncidents returns the incidents of a search, newest first. It looks at
// the last day first and at longer times as long as there are too few, since
// what is found often lies near and the store passes over other days.
func FoundIncidents(ctx context.Context, db DB, s Search) ([]FoundIncident, error) {
	after := s.After.V
	if !s.After.Valid {
		after.OpenedAt = s.To
	}
	end := after.OpenedAt
	if s.To.Before(end) {
		end = s.To
	}
	for days := 1; ; days *= 8 { // a Duration would end at 292 years
		near := s
		if from := end.AddDate(0, 0, -days); from.After(s.From) {
			near.From = from
		}
		args := append(near.filtered(), sql.Named("text", s.Text), sql.Named("fingerprint", s.Fingerprint),
			sql.Named("code", s.Code), sql.Named("state", string(s.State)), sql.Named("most", s.Most),
			sql.Named("after_time", after.OpenedAt.UTC()), sql.Named("after_agent", after.Agent), sql.Named("after_incident", after.Incident))
		found, err := collect(ctx, db, foundIncidentsSQL, args, func(r *FoundIncident) []any {
			return []any{&r.Agent, &r.Incident, &r.OpenedAt, &r.Operation, &r.Code, &r.Message, &r.Category, &r.Resolution, &r.Resolved, &r.Attempts}
		})
		if err != nil || len(found) >= s.Most || near.From.Equal(s.From) {
			return found, err
		}
	}
}
