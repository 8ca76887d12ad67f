package analyze

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"hansei/ingest"
	"hansei/queries"
)

// However the events of incidents are mixed and handed over, the cells are the
// same: each incident whole, in the order of its attempts.
func TestReadCells(t *testing.T) {
	s := openStore(t, "")
	r := rand.New(rand.NewPCG(71, 72))
	var rows []Row
	for i := range 60 {
		for attempt := range 1 + i%4 {
			e := row(0, fmt.Sprintf("%d/%d", i, attempt))
			e.Event.Agent, e.Event.Incident = fmt.Sprint("agent", i%3), fmt.Sprint("i", i)
			e.Event.Time = noon.Add(time.Duration(i%7)*time.Hour + time.Duration(attempt)*time.Minute)
			e.Event.Attempt, e.Event.WaitMS = ingest.Some(int64(attempt+1)), ingest.Some(int64(1000*i))
			e.Tag.Resolution = ""
			if attempt == 3 {
				e.Event.Kind = ingest.Success
			}
			rows = append(rows, e)
		}
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for i := range rows {
		rows[i].Sequence = uint64(i/3 + 1) // three events a message
	}
	if _, err := s.Append(t.Context(), upTo(uint64(len(rows)), rows...)); err != nil {
		t.Fatal(err)
	}
	db, err := s.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	odd := &oddities{}
	got := allCells(t, db, odd)
	incidents, won := 0, 0
	for _, c := range got {
		for i, chain := range c.laid {
			incidents++
			if chain.Won {
				won++
			}
			if len(chain.At) != chain.Retries {
				t.Errorf("%v: %d retries, times %v", c.Scope, chain.Retries, chain.At)
			}
			if i > 0 && chain.Opened.Before(c.laid[i-1].Opened) {
				t.Errorf("%v: chain %d opened before the one before", c.Scope, i)
			}
		}
	}
	if len(got) != 3 || incidents != 60 || won != 15 || *odd != (oddities{}) {
		t.Errorf("%d cells, %d incidents, %d won, %+v", len(got), incidents, won, odd)
	}
	if plain := allCells(t, s.db, &oddities{}); !reflect.DeepEqual(plain, got) {
		t.Errorf("row by row: %+v, want %+v", plain, got)
	}
}

// allCells reads the cells of the month with all their chains.
func allCells(t *testing.T, db queries.DB, odd *oddities) []Cell {
	t.Helper()
	cells, err := readCells(t.Context(), db, month, odd)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cells {
		cells[i] = cells[i].recalled(&bench{})
		cells[i].recorded = nil
	}
	return cells
}
