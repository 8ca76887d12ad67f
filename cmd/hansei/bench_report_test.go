package main

import (
	"testing"
	"time"

	"hansei/analyze"
	"hansei/queries"
)

// The history that reports are measured over has incidents of every ending that
// it tells of: over one where nothing is ever resolved they are quicker.
func TestHistoryIsResolvedInPart(t *testing.T) {
	store, err := analyze.Open(t.Context(), "", analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := fillHistory(t.Context(), store, 6000, demoFrom, 1); err != nil {
		t.Fatal(err)
	}
	db, err := store.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := queries.MonthTotals(t.Context(), db, queries.Span{From: demoFrom, To: demoFrom.AddDate(0, 1, 1), Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	if got.Incidents != 3000 || got.Resolved != 2000 || got.Open != 1000 {
		t.Errorf("%d incidents, %d resolved, %d open; want 3000, 2000, 1000", got.Incidents, got.Resolved, got.Open)
	}
}
