package queries

import (
	"context"
	"database/sql"
	_ "embed"
	"time"
)

//go:embed attempts.sql
var attemptsSQL string

// An Attempt is a row of attempts.sql: one attempt of one incident.
type Attempt struct {
	Agent, Operation, Category, Source, Incident string
	Attempts                                     int64  // the incident's largest attempt
	FailedAttempts                               int64  // the largest that failed; 0: none tells
	Resolution                                   string // of the incident
	Resolved                                     bool
	ClosedBy                                     string          // kind of the latest outcome; empty: none
	ClosingAttempt                               sql.Null[int64] // of the latest outcome
	OpenedAt                                     time.Time       // of the incident
	Outcomes                                     int64           // events that ended the incident
	Attempt                                      int64
	MaxRetries                                   sql.Null[int64] // the cap that this attempt carried
	At                                           time.Time       // of this attempt's first event
	WaitMS, DurationMS, Tokens                   sql.Null[int64] // of this attempt
	CostUSD, Score, ScoreBar                     sql.Null[float64]
	RetryAfter                                   sql.Null[float64] // seconds that the server asked for
}

// Attempts returns the attempts of all incidents in span that carry one.
func Attempts(ctx context.Context, db DB, span Span) ([]Attempt, error) {
	return collect(ctx, db, attemptsSQL, span.bounds(), func(r *Attempt) []any {
		return []any{&r.Agent, &r.Operation, &r.Category, &r.Source, &r.Incident, &r.Attempts, &r.FailedAttempts,
			&r.Resolution, &r.Resolved, &r.ClosedBy, &r.ClosingAttempt, &r.OpenedAt, &r.Outcomes,
			&r.Attempt, &r.MaxRetries, &r.At, &r.WaitMS, &r.DurationMS, &r.Tokens, &r.CostUSD,
			&r.Score, &r.ScoreBar, &r.RetryAfter}
	})
}
