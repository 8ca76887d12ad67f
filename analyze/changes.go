package analyze

import (
	"sync"
	"time"
)

// changes notes what was written to a store, so that whoever keeps an answer
// knows whether it still holds. The zero value is of a store that nothing was
// written to.
type changes struct {
	mu    sync.Mutex
	count uint64
	// Each note says that what was written up to count concerns nothing before
	// earliest. Both rise: a note that a later one covers is left out.
	notes []change
}

type change struct {
	count    uint64
	earliest time.Time
}

// never is later than any event.
var never = time.Unix(1<<40, 0)

// maxChanges bounds the notes, to those of a month; of more, the two oldest
// become one.
const maxChanges = 1000

// add counts a change, of which nothing concerns a time before earliest; the
// zero time is a change that concerns everything.
func (c *changes) add(earliest time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	c.note(earliest)
}

// found says that what was counted before concerns a time from earliest on.
func (c *changes) found(earliest time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(earliest)
}

func (c *changes) note(earliest time.Time) {
	earliest = earliest.Truncate(time.Hour) // so a note an hour, not one a batch
	for n := len(c.notes); n > 0 && !c.notes[n-1].earliest.Before(earliest); n-- {
		c.notes = c.notes[:n-1]
	}
	c.notes = append(c.notes, change{c.count, earliest})
	if len(c.notes) > maxChanges {
		c.notes[1].earliest = c.notes[0].earliest
		c.notes = append(c.notes[:0], c.notes[1:]...)
	}
}

// Changes counts what was written to the store since it was opened: while it
// stays, so do all answers. Whoever keeps an answer asks for it first.
func (s *Store) Changes() uint64 {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	return s.changes.count
}

// Since returns the earliest time that anything concerns which was written after
// the first so many changes, as far as incidents tell of it: after
// [Store.Refresh], of all that was stored before. It is the zero time where that
// concerns everything, and later than any event where nothing was written.
func (s *Store) Since(asked uint64) time.Time {
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	for _, n := range s.changes.notes {
		if n.count > asked {
			return n.earliest // the later ones are of later times
		}
	}
	return never
}
