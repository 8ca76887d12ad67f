package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hansei/analyze"
	"hansei/ingest"
)

// Bad input is told at once, then at most once a minute, and all of it in the end.
func TestBadLog(t *testing.T) {
	var out bytes.Buffer
	b := badLog{log: slog.New(slog.NewTextHandler(&out, nil))}
	bad := func(reason string, n int) (list []analyze.Bad) {
		for range n {
			list = append(list, analyze.Bad{Subject: "hansei.v1.event.bot", Source: "hansei", Record: ingest.Record{Err: errors.New(reason)}})
		}
		return list
	}
	for _, step := range []struct {
		name string
		bad  []analyze.Bad
		at   time.Duration
		want string // of the line; "": none
	}{
		{"nothing", nil, 0, ""},
		{"first", bad("one", 2), time.Second, "records=2 subject=hansei.v1.event.bot source=hansei reason=one"},
		{"soon", bad("two", 3), 2 * time.Second, ""},
		{"soon again", bad("three", 4), 3 * time.Second, ""},
		{"later, with a good batch", nil, 2 * time.Minute, "records=7 subject=hansei.v1.event.bot source=hansei reason=two"},
		{"nothing more", nil, 4 * time.Minute, ""},
	} {
		out.Reset()
		b.add(step.bad, demoFrom.Add(step.at))
		if got := out.String(); (got != "") != (step.want != "") || !strings.Contains(got, step.want) {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
	out.Reset()
	b.add(bad("last", 1), demoFrom.Add(5*time.Minute))
	b.add(bad("end", 1), demoFrom.Add(5*time.Minute))
	b.tell(demoFrom.Add(5 * time.Minute))
	if got := out.String(); strings.Count(got, "records=1") != 2 || !strings.Contains(got, "reason=end") {
		t.Errorf("at the end: got %q", got)
	}
}
