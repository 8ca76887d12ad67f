package analyze

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"hansei/queries"
)

const booksAndRows = "SELECT sum(published)::BIGINT, sum(stored)::BIGINT, sum(deduplicated)::BIGINT, sum(quarantined)::BIGINT, sum(expired)::BIGINT, (SELECT count(*) FROM events), (SELECT count(*) FROM quarantine) FROM books"

// Incidents older than the cutoff go as a whole and in chunks, their counts stay.
func TestExpire(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "s.duckdb"))
	const events = 600
	rows := make([]Row, events)
	for i := range rows {
		rows[i] = row(uint64(i+1), fmt.Sprint("e", i))
		rows[i].Event.Time = noon.Add(time.Duration(i) * time.Minute / 4)
		rows[i].Event.Incident = fmt.Sprint("i", i/2)
	}
	rows[1].Event.Time = noon.AddDate(0, 0, 60) // its incident is still under way
	b := upTo(events, rows...)
	b.Bad = []Bad{badInput(1, "junk"), badInput(events, "more")}
	b.Bad[1].Arrived = noon.AddDate(0, 0, 50)
	keep(t, s, b, queries.Kept{Stored: events, Quarantined: 2})
	const monthly = "SELECT month, agent, incidents, resolved, open, cancelled, resolution_rate, retries_mean FROM v_monthly ORDER BY ALL"
	before := ask(t, s, monthly)
	for range 2 { // the second finds nothing
		if _, err := s.expire(t.Context(), noon.AddDate(0, 0, 40), 100); err != nil {
			t.Fatal(err)
		}
		if got := ask(t, s, booksAndRows); got != fmt.Sprintf("%d 2 0 1 %d 2 1", events+2, events-1) {
			t.Errorf("books %s", got)
		}
		if after := ask(t, s, monthly); after != before {
			t.Errorf("the months were\n%s\nare\n%s", before, after)
		}
		tuned, err := Tune(t.Context(), s.Reader(), month, TuneOptions{})
		if err != nil || len(tuned.Notes) == 0 || tuned.Notes[0].What != "expired" || tuned.Notes[0].Incidents != events/2-1 {
			t.Errorf("what the tuner notes: %+v, %v", tuned.Notes, err)
		}
		if got := ask(t, s, "SELECT sum(incidents)::BIGINT, count(DISTINCT day), (SELECT count(*) FROM incidents WHERE opening IS NOT NULL), (SELECT count(*) FROM openings) FROM incidents_daily"); got != "1 1 1 1" {
			t.Errorf("incidents by day, days, incidents and openings that are left: %s", got)
		}
	}
}

// Input that was requeued counts once, also when all comes in one batch.
func TestReplace(t *testing.T) {
	for _, batches := range []int{1, 3} {
		s := openStore(t, filepath.Join(t.TempDir(), "s.duckdb"))
		first := upTo(1)
		first.Bad = []Bad{badInput(1, "junk"), badInput(1, "other")}
		again := upTo(2)
		again.Bad = []Bad{badInput(2, "junk")} // still bad
		again.Bad[0].Replaces = again.Bad[0].ID()
		good := row(3, "good")
		good.Replaces = again.Bad[0].ID()
		all := []Batch{first, again, upTo(3, good)}
		if batches == 1 {
			all = []Batch{{Position: all[2].Position, Parts: all[2].Parts, Bad: append(first.Bad, again.Bad...)}}
		}
		for _, b := range all {
			if _, err := s.Append(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
		if got := ask(t, s, booksAndRows); got != "2 1 0 1 0 1 1" {
			t.Errorf("in %d batches: %s", batches, got)
		}
	}
}
