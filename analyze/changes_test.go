package analyze

import (
	"testing"
	"time"

	"hansei/ingest"
)

// An answer about a time holds until something is written that concerns it:
// an event of that time, or the end of an incident that opened then.
func TestSince(t *testing.T) {
	s := openStore(t, "")
	sequence := uint64(0)
	write := func(at time.Time, incident string, kind ingest.Kind) {
		t.Helper()
		sequence++
		e := ingest.Event{Time: at, Agent: "bot", Incident: incident, Kind: kind, Message: "x"}
		if err := e.Finish(time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(t.Context(), upTo(sequence, Row{Sequence: sequence, Event: &e})); err != nil {
			t.Fatal(err)
		}
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	january, march := birth.AddDate(0, 0, 14), birth.AddDate(0, 2, 14)
	february, april := birth.AddDate(0, 1, 0), birth.AddDate(0, 3, 0)
	holds := func(what string, asked uint64, inJanuary, inMarch bool) {
		t.Helper()
		if since := s.Since(asked); since.Before(february) == inJanuary || since.Before(april) == inMarch {
			t.Errorf("%s: written since %v; want January to hold %v, March %v", what, since, inJanuary, inMarch)
		}
	}
	write(january, "a", ingest.Failure)
	first := s.Changes()
	holds("nothing new", first, true, true)
	write(march, "b", ingest.Failure)
	holds("an event in March", first, true, false)
	second := s.Changes()
	holds("asked after it", second, true, true)
	write(march, "a", ingest.Success)
	holds("an end in March of what opened in January", second, false, false)
	third := s.Changes()
	if err := s.Decide(t.Context(), nil, time.Now(), nil); err != nil {
		t.Fatal(err)
	}
	holds("a decision", third, false, false)
	fourth := s.Changes()
	for i := range 3 * maxChanges {
		s.changes.add(march.Add(time.Duration(i) * time.Second))
	}
	holds("many events of March", fourth, true, false)
	for i := range 3 * maxChanges {
		s.changes.add(march.Add(time.Duration(i) * time.Hour))
	}
	holds("more than is noted", fourth, false, false)
	if len(s.changes.notes) > maxChanges {
		t.Errorf("%d notes are kept", len(s.changes.notes))
	}
}
