package main

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A block of the events is damaged; DuckDB opens such a file. Doctor finds it, a
// command that ends for it says what to do, and what was rebuilt tells the same.
// Afterwards nothing is damaged, and the store stays where it is.
func TestDamagedBlock(t *testing.T) {
	data := t.TempDir()
	hansei(t, "import", "--data", data, "--format", "hansei", writeEvents(t, 0, 20_000))
	before := reportOf(t, data)
	damageEvents(t, data)
	query := exec.Command("hansei", "query", "--data", data, "select bit_xor(hash(e)) from events as e")
	if said, err := query.CombinedOutput(); err == nil || !strings.Contains(string(said), "doctor --rebuild") {
		t.Errorf("%v: the error does not say what to do: %s", err, said)
	}
	said := hansei(t, "doctor", "--rebuild", "--data", data)
	if !strings.Contains(string(said), "table events cannot be read") {
		t.Errorf("rebuild does not say what is lost: %s", said)
	}
	if after := reportOf(t, data); !bytes.Equal(after, before) {
		t.Error("the report differs after the store was rebuilt")
	}
	hansei(t, "doctor", "--data", data)
	again, err := exec.Command("hansei", "doctor", "--rebuild", "--data", data).CombinedOutput()
	if err == nil || !strings.Contains(string(again), "nothing is damaged") {
		t.Errorf("a store that is well is rebuilt: %v: %s", err, again)
	}
}

// damageEvents damages one block of the store's file after the other, until
// doctor finds a table that cannot be read: the events.
func damageEvents(t *testing.T, data string) {
	t.Helper()
	const head, block = 3 * 4096, 64 << 10 // of a DuckDB file; the size of a block is ours
	store := filepath.Join(data, "hansei.duckdb")
	sound, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	for at := head; at+block <= len(sound); at += block {
		broken := bytes.Clone(sound)
		for i := range 4096 {
			broken[at+block/2+i] ^= 0x5a
		}
		if err := os.WriteFile(store, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("hansei", "doctor", "--data", data).Output()
		if err != nil && strings.Contains(string(said), "problem  blocks      table events cannot be read") {
			return
		}
	}
	t.Fatalf("no block of %d bytes is one of the events alone: the test tests nothing", len(sound))
}

// TestIncidentsBehind wants health and doctor to tell when no report can be
// made, though every event is stored.
func TestIncidentsBehind(t *testing.T) {
	data := t.TempDir()
	hansei(t, "import", "--data", data, "--format", "hansei", writeEvents(t, 0, 10))
	db, err := sql.Open("duckdb", filepath.Join(data, "hansei.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "ALTER TABLE openings RENAME TO lost; UPDATE incidents_upto SET position = 0")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	const why = "openings does not exist"
	said, err := exec.Command("hansei", "doctor", "--data", data).Output()
	if err == nil || !strings.Contains(string(said), "problem  incidents") || !strings.Contains(string(said), why) {
		t.Errorf("doctor, %v: %s", err, said)
	}
	base, _ := startServe(t, data)
	wait(t, func() bool { // its pages are made at the start
		r, err := http.Get(base + "/healthz")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		return err == nil && r.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(text), why) && strings.Contains(string(text), "events are stored")
	})
	said, err = exec.Command("hansei", "doctor", "--data", data).Output()
	if err == nil || !strings.Contains(string(said), "problem  incidents") {
		t.Errorf("doctor of serve, %v: %s", err, said)
	}
}
