package ingest

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
)

// A Format reads the records of one kind of file.
type Format struct {
	Name     string
	About    string   // one line for people
	Coverage Coverage // what the source can show
	// Read yields the records of r in their order, bad ones with an error. Its
	// own error is an I/O error, and ends the sequence.
	Read func(r io.Reader, o Options) iter.Seq2[Record, error]
}

// Formats lists the known formats in the order of the documentation.
var Formats = []*Format{&hansei, &agentSkills, &claudeCode, &codex, &gemini, &otelFormat, &cloudEvents, &commandMate, &openStarry, &monadic, &recovery, &textLines}

// Options say how a file is read.
type Options struct {
	Name     string         // of the file, for positions
	Location *time.Location // of times without a zone; nil is UTC
	Now      time.Time      // bounds the time of events, see MaxAhead; zero: unbounded
	Modified time.Time      // of the file: the time of records that have none; zero: Now
	Agent    string         // of records that name none, in formats of no one agent; "": the format's name
	Map      *FieldMap      // where the fields of foreign JSON Lines stand; nil: they are ours
	Healthy  *int           // counts the lines of a log that are left out for their level; nil: nobody counts
	Growing  bool           // the file may be in the middle of being written: half a record at its end waits
}

// undated is the time of records that have none.
func (o Options) undated() time.Time {
	if o.Modified.IsZero() {
		return o.Now.UTC()
	}
	return o.Modified.UTC()
}

func (o Options) location() *time.Location {
	if o.Location == nil {
		return time.UTC
	}
	return o.Location
}

// at is the position of a line of the file.
func (o Options) at(line int) string { return fmt.Sprintf("%s:%d", o.Name, line) }

// record finishes e, and makes it or the reason against it a record.
func (o Options) record(e Event, raw []byte, line int) Record {
	if err := e.Finish(o.Now); err != nil {
		return Record{Err: err, Raw: raw, Position: o.at(line)}
	}
	return Record{Event: e, Position: o.at(line)}
}

// Coverage says what a source can show of an incident. Rates are exact only as
// far as it reaches.
type Coverage struct {
	Attempts   bool // each attempt
	Final      bool // only the last failure
	Recoveries bool // also the retries that passed
}

// String lists what the source can show.
func (c Coverage) String() string {
	var names []string
	for _, grade := range []struct {
		has  bool
		name string
	}{{c.Attempts, "attempts"}, {c.Final, "final"}, {c.Recoveries, "recoveries"}} {
		if grade.has {
			names = append(names, grade.name)
		}
	}
	return strings.Join(names, ", ")
}

// FormatNamed returns the format called name; its error lists the known ones.
func FormatNamed(name string) (*Format, error) {
	var names []string
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("format %q is not known; known are %s", name, strings.Join(names, ", "))
}

// zoneless are the forms of times without a zone that sources write.
var zoneless = []string{
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
	"2006/01/02 15:04:05", "2006/01/02 15:04", "2006-01-02", "2006/01/02",
}

// zoned are the forms with a zone, RFC 3339 first.
var zoned = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05 -0700", "2006-01-02T15:04Z07:00",
}

// parseTime reads a time in any form that sources write; one without a zone is
// taken in loc. Go accepts a fraction of a second behind each form.
func parseTime(text string, loc *time.Location) (time.Time, error) {
	for _, layout := range zoned {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	for _, layout := range zoneless {
		if t, err := time.ParseInLocation(layout, text, loc); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("time: %q is not a time; write it like 2026-01-31T09:30:00Z", clip(text))
}
