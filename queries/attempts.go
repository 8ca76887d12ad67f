package queries

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed attempts.sql
var attemptsSQL string

// An Attempt is a row of attempts.sql: one attempt of one incident.
type Attempt struct {
	Agent, Operation, Category, Source, Incident string
	Attempts                                     int64           // the incident's largest attempt
	FailedAttempts                               int64           // the largest that failed; 0: none tells
	MaxRetries                                   sql.Null[int64] // the largest cap that the incident carried
	Resolution                                   string          // of the incident
	Resolved                                     bool
	ClosedBy                                     string          // kind of the latest outcome; empty: none
	ClosingAttempt                               sql.Null[int64] // of the latest outcome
	Attempt                                      int64
	WaitMS, DurationMS, Tokens                   sql.Null[int64] // of this attempt
}

// Attempts returns the attempts of all incidents in span that carry one.
func Attempts(ctx context.Context, db DB, span Span) ([]Attempt, error) {
	return collect(ctx, db, attemptsSQL, span.bounds(), func(r *Attempt) []any {
		return []any{&r.Agent, &r.Operation, &r.Category, &r.Source, &r.Incident, &r.Attempts, &r.FailedAttempts, &r.MaxRetries,
			&r.Resolution, &r.Resolved, &r.ClosedBy, &r.ClosingAttempt, &r.Attempt, &r.WaitMS, &r.DurationMS, &r.Tokens}
	})
}
