package main

import "testing"

// Of the fleet's 27.8 bytes an event in Parquet 6.1 are the digits of random
// hashes and trace ids, 5.7 of which cannot be saved. Every column has a say in
// this: one that is written worse shows.
func TestExportIsSmall(t *testing.T) {
	out, err := storedFleet(t).Export(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if each := float64(out.Bytes) / float64(out.Events); each > 28.2 {
		t.Errorf("%d events in %d bytes: %.2f an event, want 27.8", out.Events, out.Bytes, each)
	}
}
