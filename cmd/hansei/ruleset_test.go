package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hansei/ingest"
)

// A folder of rules is followed whatever way its files change, and a refusal is
// told until it is mended.
func TestRulesFollowed(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	file, linked := filepath.Join(dir, "font.yaml"), filepath.Join(elsewhere, "rules")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write := func(path, phrase string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("- {name: x, phrases: ["+phrase+"]}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil { // all within one tick of the file system's clock
			t.Fatal(err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write(file, "printer one")
	r, err := openRules(dir, slog.New(slog.DiscardHandler))
	must(err)
	for _, test := range []struct {
		what    string
		change  func()
		message string // that a rule of the folder knows then
		refused string
	}{
		{"written in place, of the same size", func() { write(file, "printer two") }, "printer two", ""},
		{"written anew and renamed", func() {
			write(file+"~", "printer six")
			must(os.Rename(file+"~", file))
		}, "printer six", ""},
		{"made a link", func() {
			write(linked, "printer ten")
			must(os.Remove(file))
			must(os.Symlink(linked, file))
		}, "printer ten", ""},
		{"behind a link", func() { write(linked, "printer odd") }, "printer odd", ""},
		{"broken", func() { write(file, "a") }, "printer odd", "font.yaml:1: rule \"x\""},
		{"broken still", func() { write(file, "b") }, "printer odd", "font.yaml:1: rule \"x\""},
		{"folder gone", func() { must(os.Rename(dir, dir+".away")) }, "printer odd", "--rules names a folder"},
		{"folder back", func() { must(os.Rename(dir+".away", dir)) }, "printer odd", "font.yaml:1: rule \"x\""},
		{"mended", func() { write(file, "printer end") }, "printer end", ""},
		{"an editor's lock beside it", func() { must(os.Symlink("me@here.1", filepath.Join(dir, ".#font.yaml"))) }, "printer end", ""},
	} {
		test.change()
		at := time.Now()
		before := r.state()
		r.look(at)
		if tag := r.now().Tag(&ingest.Event{Message: test.message}); tag.Rule != "x" {
			t.Errorf("%s: %q is tagged by %q", test.what, test.message, tag.Rule)
		}
		switch got := r.state(); {
		case (got.Refused != nil) != (test.refused != ""), got.Refused != nil && !strings.Contains(got.Refused.Error(), test.refused):
			t.Errorf("%s: refused for %v, want %q", test.what, got.Refused, test.refused)
		case before.Refused != nil && got.Refused != nil && !got.Since.Equal(before.Since):
			t.Errorf("%s: refused since %v, before it was %v", test.what, got.Since, before.Since)
		}
	}
}
