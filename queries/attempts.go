package queries

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"time"
)

//go:embed attempts.sql
var attemptsSQL string

// An Attempt is one attempt of one incident.
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

// attemptEvent is a row of attempts.sql.
type attemptEvent struct {
	Attempt
	number, events int64 // of the incident: its row, and how many events it has
	named          bool  // the names are filled in
	outcome        bool
	attempt        sql.Null[int64]
}

// Attempts calls f with the attempts of each incident in span that carries
// one, by their number. Incidents come in no order; the slice is f's until it
// returns. An error of f ends it.
func Attempts(ctx context.Context, db DB, span Span, f func([]Attempt) error) error {
	waiting := map[int64][]attemptEvent{} // for the rest of their incident
	var of []attemptEvent                 // of the incident of the row before, which mostly goes on
	var attempts []Attempt
	hand := func(of []attemptEvent) error {
		if attempts = merged(attempts[:0], of); len(attempts) == 0 {
			return nil
		}
		return f(attempts)
	}
	err := each(ctx, db, attemptsSQL, span.bounds(), (*attemptEvent).fields, func(r *attemptEvent) error {
		if len(of) == 0 || of[0].number != r.number {
			if len(of) > 0 {
				waiting[of[0].number] = of
				of = nil
			}
			if rest, ok := waiting[r.number]; ok {
				delete(waiting, r.number)
				of = rest
			}
		}
		of = append(of, *r)
		if int64(len(of)) < r.events {
			return nil
		}
		err := hand(of)
		of = of[:0]
		return err
	})
	if err != nil {
		return err
	}
	if len(of) > 0 {
		waiting[of[0].number] = of
	}
	for _, of := range waiting { // an incident that lost events
		if err := hand(of); err != nil {
			return err
		}
	}
	return nil
}

func (r *attemptEvent) fields() []any {
	return []any{&r.number, &r.events, &r.named, &r.Agent, &r.Operation, &r.Category, &r.Source, &r.Incident, &r.Resolution, &r.ClosedBy,
		&r.Resolved, &r.Attempts, &r.FailedAttempts, &r.ClosingAttempt, &r.OpenedAt, &r.outcome,
		&r.attempt, &r.MaxRetries, &r.At, &r.WaitMS, &r.DurationMS, &r.Tokens, &r.CostUSD, &r.Score, &r.ScoreBar, &r.RetryAfter}
}

// merged appends the attempts that the events of one incident tell of. Of
// several events of an attempt the first gives its time, the largest figure counts.
func merged(out []Attempt, of []attemptEvent) []Attempt {
	byAttempt := func(a, b attemptEvent) int { return cmp.Compare(a.attempt.V, b.attempt.V) }
	if !slices.IsSortedFunc(of, byAttempt) {
		slices.SortFunc(of, byAttempt)
	}
	outcomes, name := int64(0), &of[0]
	for i := range of {
		if of[i].outcome {
			outcomes++
		}
		if of[i].named {
			name = &of[i]
		}
	}
	for i := range of {
		e := &of[i]
		if !e.attempt.Valid {
			continue
		}
		a := &e.Attempt
		a.Attempt = e.attempt.V
		if n := len(out); n > 0 && out[n-1].Attempt == a.Attempt {
			out[n-1].join(a)
			continue
		}
		a.Agent, a.Operation, a.Category, a.Source, a.Incident = name.Agent, name.Operation, name.Category, name.Source, name.Incident
		a.Resolution, a.ClosedBy, a.Outcomes = name.Resolution, name.ClosedBy, outcomes
		out = append(out, *a)
	}
	return out
}

// join adds another event of the same attempt.
func (a *Attempt) join(b *Attempt) {
	if b.At.Before(a.At) {
		a.At = b.At
	}
	for _, v := range [][2]*sql.Null[int64]{{&a.MaxRetries, &b.MaxRetries}, {&a.WaitMS, &b.WaitMS}, {&a.DurationMS, &b.DurationMS}, {&a.Tokens, &b.Tokens}} {
		if v[1].Valid && (!v[0].Valid || v[1].V > v[0].V) {
			*v[0] = *v[1]
		}
	}
	for _, v := range [][2]*sql.Null[float64]{{&a.CostUSD, &b.CostUSD}, {&a.Score, &b.Score}, {&a.ScoreBar, &b.ScoreBar}, {&a.RetryAfter, &b.RetryAfter}} {
		if v[1].Valid && (!v[0].Valid || v[1].V > v[0].V) {
			*v[0] = *v[1]
		}
	}
}
