package queries

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"slices"
	"time"
)

// The statements that read attempts. Neither the events nor the incidents are
// sorted or joined: a join by name alone costs more than all else that the
// tuner does, and both lie in the store about as they came.
var (
	//go:embed attempts/last_row.sql
	attemptsLastRowSQL string
	//go:embed attempts/reach.sql
	attemptsReachSQL string
	//go:embed attempts/incidents.sql
	attemptsIncidentsSQL string
	//go:embed attempts/events.sql
	attemptsEventsSQL string
)

// A Tried is an incident that carries an attempt.
type Tried struct {
	Agent, Operation, Category, Source string
	Resolved                           bool
	ByRetry                            bool            // its resolution is one that a retry brings
	BySuccess                          bool            // its latest outcome is a success
	Attempts                           int64           // its largest attempt
	FailedAttempts                     int64           // the largest that failed; 0: none tells
	ClosingAttempt                     sql.Null[int64] // of the latest outcome
	OpenedAt                           time.Time
	Outcomes                           int64 // events that ended it
	FailedAgain                        int64 // failures after the success that is its latest outcome; FailedAttempts leaves them out

	number   uint64    // a hash of its name
	events   int64     // that it has
	closedAt time.Time // its latest outcome; no matter where there is none
}

// An Attempt is one attempt of one incident.
type Attempt struct {
	Attempt                    int64
	MaxRetries                 sql.Null[int64] // the cap that it carried
	At                         time.Time       // of its first event
	WaitMS, DurationMS, Tokens sql.Null[int64]
	CostUSD, Score, ScoreBar   sql.Null[float64]
	RetryAfter                 sql.Null[float64] // seconds that the server asked for after the first attempt
}

// attemptEvent is a row of attempts/events.sql.
type attemptEvent struct {
	Attempt
	number  uint64 // of the incident
	outcome bool
	attempt sql.Null[int64]
}

// attemptRows is how many events are read at a time, a row group of DuckDB:
// 15 MB of an answer, and as much for the incidents that they are put together
// in meanwhile.
const attemptRows = 122_880

// Attempts calls f with each incident in span that carries an attempt, and its
// attempts by their number. Incidents come in no order; what f is given is f's
// until it returns. An error of f ends it. It returns how many incidents were
// left out because their names cannot be told from others': those whose 64-bit
// hash is that of another one under way, one in some million years of a large fleet.
func Attempts(ctx context.Context, db DB, span Span, f func(*Tried, []Attempt) error) (alike int, err error) {
	err = snapshot(ctx, db, func(db DB) error {
		a := attemptsReader{open: map[uint64]*openIncident{}, hand: f}
		err := a.read(ctx, db, span)
		alike = a.alike
		return err
	})
	return alike, err
}

// usualEvents is for how many events of an incident there is memory at once.
const usualEvents = 8

// An attemptsReader puts incidents together.
type attemptsReader struct {
	open   map[uint64]*openIncident // those of which more events may come, by number
	spare  []*openIncident
	merged []Attempt
	alike  int
	hand   func(*Tried, []Attempt) error
}

// An openIncident is an incident and those of its events that came.
type openIncident struct {
	Tried
	came   int64
	before int64 // the largest attempt that failed, and not after its success
	events []Attempt
}

// read reads in one goroutine and puts together in another.
func (a *attemptsReader) read(ctx context.Context, db DB, span Span) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := attemptsSource{db: db, span: span, full: make(chan *attemptsChunk), empty: make(chan *attemptsChunk, 3)}
	for range cap(s.empty) {
		s.empty <- &attemptsChunk{}
	}
	go func() {
		defer close(s.full)
		s.err = s.run(ctx)
	}()
	var err error
	for chunk := range s.full { // to its end: then s.run is done
		if err == nil {
			if err = a.take(chunk); err != nil {
				cancel()
			}
		}
		s.empty <- chunk
	}
	if err != nil {
		return err
	}
	if s.err != nil {
		return s.err
	}
	for _, i := range a.open { // an incident that lost events
		if err := a.finish(i); err != nil {
			return err
		}
	}
	return nil
}

// take adds what a chunk holds, and hands over the incidents that it completes.
func (a *attemptsReader) take(chunk *attemptsChunk) error {
	for i := range chunk.incidents {
		next := &chunk.incidents[i]
		if a.open[next.number] != nil {
			a.alike++
			continue
		}
		o := &openIncident{}
		if n := len(a.spare); n > 0 {
			o, a.spare = a.spare[n-1], a.spare[:n-1]
		}
		o.Tried, o.came, o.before = *next, 0, 0
		o.events = slices.Grow(o.events[:0], int(min(next.events, usualEvents)))
		a.open[next.number] = o
	}
	for i := range chunk.events {
		e := &chunk.events[i]
		o := a.open[e.number]
		if o == nil {
			continue // of an incident that is not asked for
		}
		o.came++
		o.count(e)
		if e.attempt.Valid {
			e.Attempt.Attempt = e.attempt.V
			o.events = append(o.events, e.Attempt)
		}
		if o.came < o.Tried.events {
			continue
		}
		if err := a.finish(o); err != nil {
			return err
		}
		delete(a.open, e.number)
		a.spare = append(a.spare, o)
	}
	return nil
}

// count counts an event as a failure or an outcome. A failure comes after the
// success where its attempt's number says so; where one of them is unknown, where
// its time does.
func (o *openIncident) count(e *attemptEvent) {
	if e.outcome {
		o.Outcomes++
		return
	}
	after := e.At.After(o.closedAt)
	if e.attempt.Valid && o.ClosingAttempt.Valid {
		after = e.attempt.V > o.ClosingAttempt.V
	}
	if o.BySuccess && after {
		o.FailedAgain++
	} else if e.attempt.Valid {
		o.before = max(o.before, e.attempt.V)
	}
}

// finish hands over an incident.
func (a *attemptsReader) finish(o *openIncident) error {
	if o.FailedAgain > 0 {
		o.FailedAttempts = o.before
	}
	if a.merged = merged(a.merged[:0], o.events); len(a.merged) == 0 {
		return nil
	}
	return a.hand(&o.Tried, a.merged)
}

// merged appends the attempts that the events of one incident tell of. Of
// several events of an attempt the first gives its time, the largest figure counts.
func merged(out, of []Attempt) []Attempt {
	byAttempt := func(a, b Attempt) int { return cmp.Compare(a.Attempt, b.Attempt) }
	if !slices.IsSortedFunc(of, byAttempt) {
		slices.SortFunc(of, byAttempt)
	}
	for i := range of {
		if n := len(out); n > 0 && out[n-1].Attempt == of[i].Attempt {
			out[n-1].join(&of[i])
			continue
		}
		out = append(out, of[i])
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
