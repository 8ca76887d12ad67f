package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

var (
	//go:embed incident.sql
	incidentSQL string
	//go:embed incident_events.sql
	incidentEventsSQL string
)

// An Incident is the row of incident.sql.
type Incident struct {
	Agent, Incident, Session, Operation, Step, Source string
	Code, Status, Message, Provider, Model            string // of its first failure
	Taxonomy, Category                                string
	Retryable                                         sql.Null[bool]
	Fingerprint                                       string
	OpenedAt                                          time.Time
	ClosedAt                                          sql.Null[time.Time]
	Attempts, MaxRetries                              sql.Null[int64]
	Resolution                                        string
	Resolved                                          bool
	Events                                            int64
	WaitMS, DurationMS, Tokens                        sql.Null[int64]
	CostUSD                                           sql.Null[float64]
	firstPosition                                     uint64
}

// IncidentNamed returns an incident of an agent that opened in [from, to), and
// whether there is one.
func IncidentNamed(ctx context.Context, db DB, agent, incident string, from, to time.Time) (Incident, bool, error) {
	args := []any{sql.Named("agent", agent), sql.Named("incident", incident), sql.Named("from", from.UTC()), sql.Named("to", to.UTC())}
	rows, err := collect(ctx, db, incidentSQL, args, func(r *Incident) []any {
		return []any{&r.Agent, &r.Incident, &r.Session, &r.Operation, &r.Step, &r.Source,
			&r.Code, &r.Status, &r.Message, &r.Provider, &r.Model, &r.Taxonomy, &r.Category, &r.Retryable, &r.Fingerprint,
			&r.OpenedAt, &r.ClosedAt, &r.Attempts, &r.MaxRetries, &r.Resolution, &r.Resolved,
			&r.Events, &r.WaitMS, &r.DurationMS, &r.Tokens, &r.CostUSD, &r.firstPosition}
	})
	if err != nil || len(rows) == 0 {
		return Incident{}, false, err
	}
	return rows[0], true, nil
}

// An IncidentEvent is a row of incident_events.sql.
type IncidentEvent struct {
	ID                                      string
	Time                                    time.Time
	Kind, Operation, Step, Component        string
	Attempt, MaxRetries, WaitMS, DurationMS sql.Null[int64]
	Code, Status, Message, Detail           string
	Resolution, ResolutionText              string
	Score, ScoreBar                         sql.Null[float64]
	Provider, Model                         string
	Tokens                                  sql.Null[int64]
	TraceID, Attrs, Category, Rule          string
}

// IncidentEvents returns the events of an incident by time, at most so many.
func IncidentEvents(ctx context.Context, db DB, i Incident, most int) ([]IncidentEvent, error) {
	args := []any{sql.Named("agent", i.Agent), sql.Named("incident", i.Incident), sql.Named("first", i.firstPosition), sql.Named("opened", i.OpenedAt.UTC()), sql.Named("most", min(i.Events, int64(most)))}
	return collect(ctx, db, incidentEventsSQL, args, func(r *IncidentEvent) []any {
		return []any{&r.ID, &r.Time, &r.Kind, &r.Operation, &r.Step, &r.Component, &r.Attempt, &r.MaxRetries, &r.WaitMS, &r.DurationMS,
			&r.Code, &r.Status, &r.Message, &r.Detail, &r.Resolution, &r.ResolutionText, &r.Score, &r.ScoreBar,
			&r.Provider, &r.Model, &r.Tokens, &r.TraceID, &r.Attrs, &r.Category, &r.Rule}
	})
}
