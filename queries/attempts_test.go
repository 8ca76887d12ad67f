package queries

import (
	"database/sql"
	"testing"
	"time"
)

// Incidents that cannot be told apart are left out and counted; one whose events
// are not all there is handed over at the end by read, not before.
func TestAttemptsTaken(t *testing.T) {
	handed := map[string]int{}
	a := attemptsReader{open: map[uint64]*openIncident{}, hand: func(i *Tried, of []Attempt) error {
		handed[i.Agent] += len(of)
		return nil
	}}
	event := func(number uint64, attempt int64) attemptEvent {
		return attemptEvent{number: number, attempt: sql.Null[int64]{V: attempt, Valid: true}}
	}
	err := a.take(&attemptsChunk{
		incidents: []Tried{{Agent: "first", number: 1, events: 3}, {Agent: "same hash", number: 1, events: 1}, {Agent: "lost one", number: 2, events: 2}},
		events:    []attemptEvent{event(1, 2), event(2, 1), event(1, 1), event(3, 1), event(1, 2)},
	})
	if err != nil || a.alike != 1 || len(handed) != 1 || handed["first"] != 2 || len(a.open) != 1 {
		t.Errorf("%v, %d alike, handed %v, %d open", err, a.alike, handed, len(a.open))
	}
	if err := a.take(&attemptsChunk{incidents: []Tried{{Agent: "later", number: 1, events: 1}}, events: []attemptEvent{event(1, 1)}}); err != nil || a.alike != 1 || handed["later"] != 1 {
		t.Errorf("%v, %d alike, handed %v", err, a.alike, handed)
	}
}

// What failed after the success that is the latest outcome is told apart: by the
// attempts' numbers, and by their times where a number is missing.
func TestFailedAgain(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 1, 5, 9, minute, 0, 0, time.UTC) }
	number := func(n int64) sql.Null[int64] { return sql.Null[int64]{V: n, Valid: n > 0} }
	type told struct{ attempt, minute int64 } // of a failure; attempt 0: not told
	for _, test := range []struct {
		name          string
		success       told
		failures      []told
		again, failed int64
	}{
		{"failure, success", told{2, 2}, []told{{1, 1}}, 0, 1},
		{"failure, success, failure", told{2, 2}, []told{{1, 1}, {3, 3}}, 1, 1},
		{"numbers are trusted above times", told{3, 1}, []told{{1, 2}, {2, 3}}, 0, 2},
		{"a success without a number", told{0, 2}, []told{{1, 1}, {2, 3}}, 1, 1},
		{"a failure without a number", told{2, 2}, []told{{1, 1}, {0, 3}}, 1, 1},
	} {
		var got *Tried
		a := attemptsReader{open: map[uint64]*openIncident{}, hand: func(i *Tried, _ []Attempt) error {
			got = i
			return nil
		}}
		chunk := &attemptsChunk{incidents: []Tried{{
			number: 1, events: int64(len(test.failures) + 1), BySuccess: true, closedAt: at(int(test.success.minute)), ClosingAttempt: number(test.success.attempt),
		}}}
		for _, f := range test.failures {
			chunk.incidents[0].FailedAttempts = max(chunk.incidents[0].FailedAttempts, f.attempt)
			chunk.events = append(chunk.events, attemptEvent{number: 1, attempt: number(f.attempt), Attempt: Attempt{At: at(int(f.minute))}})
		}
		chunk.events = append(chunk.events, attemptEvent{number: 1, outcome: true, attempt: number(test.success.attempt), Attempt: Attempt{At: at(int(test.success.minute))}})
		if err := a.take(chunk); err != nil || got == nil || got.FailedAgain != test.again || got.FailedAttempts != test.failed {
			t.Errorf("%s: %v, %+v, want %d failed again, and %d before", test.name, err, got, test.again, test.failed)
		}
	}
}
