package main

import (
	"log/slog"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/cmd/hansei/fleet"
	"hansei/ingest"
	"hansei/queries"
)

// storedFleet returns a store in memory that holds the demo's fleet, after the
// whole way through classifier and store.
func storedFleet(t *testing.T) *analyze.Store {
	t.Helper()
	store, err := analyze.Open(t.Context(), "", analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	rules, err := openRules("", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	o := fleet.Options{Seed: demoSeed, From: demoFrom, Months: demoMonths}
	cells, labels := fleet.Cells(), fleet.Labels(o)
	batch := analyze.Batch{Position: ingest.Position{Stream: "S", Created: demoFrom, Sequence: 1}}
	packer := analyze.NewPacker()
	failures, right := 0, 0
	for _, e := range fleet.Events(o) {
		if err := e.Finish(time.Time{}); err != nil {
			t.Fatal(err)
		}
		tag := rules.now().Tag(&e)
		if cell, ok := labels[e.ID]; ok && e.Kind == ingest.Failure {
			failures++
			if string(tag.Category) == cells[cell].Category {
				right++
			}
		}
		packer.Add(&analyze.Row{Sequence: 1, Event: &e, Tag: tag})
	}
	batch.Parts = []*analyze.Part{packer.Part()}
	if share := float64(right) / float64(failures); share < 0.9 {
		t.Errorf("%.1f %% of the fleet's failures got the category that was meant", 100*share)
	}
	if _, err := store.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	return store
}

// The demo's fleet has policies whose truth is known: what the tuner says of
// them is held against it.
func TestTunerFindsTheFleetsTruth(t *testing.T) {
	store, cells := storedFleet(t), fleet.Cells()
	span := queries.Span{From: demoFrom, To: demoFrom.AddDate(0, demoMonths, 0), Location: time.UTC}
	db, err := store.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tuning, err := analyze.Tune(t.Context(), db, span, analyze.TuneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[analyze.Scope]analyze.Verdict{}
	for _, s := range tuning.Suggestions {
		if s.Knob == "max_retries" {
			verdicts[s.Scope] = s.Verdict
		}
	}
	for role, want := range map[fleet.Role]analyze.Verdict{
		fleet.Wasteful: analyze.Lower, fleet.TooFew: analyze.Raise, fleet.Thin: analyze.TooLittleData, fleet.Good: analyze.Keep,
	} {
		found := false
		for _, cell := range cells {
			if cell.Role != role {
				continue
			}
			found = true
			scope := analyze.Scope{Agent: cell.Agent, Operation: cell.Operation, Category: string(cell.Category)}
			if got := verdicts[scope]; got != want {
				t.Errorf("%s %+v: %q, want %q", role, scope, got, want)
			}
		}
		if !found {
			t.Errorf("no cell is %s", role)
		}
	}
}
