package queries

import (
	"database/sql"
	"testing"
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
