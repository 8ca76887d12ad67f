// Package ingest says what an error event of an AI agent is, and turns the
// records of each known source into events.
//
// An [Event] is one observation: an attempt failed, an attempt passed, or an
// incident ended. [Decode] reads the events of one message of the stream;
// a [Format] reads the records of a file. Both treat bad input as a value: a
// [Record] with an error keeps its raw bytes and its position, and the records
// around it are still taken. Every limit stands in fields.go.
//
// The package imports nothing of ours, and holds only what a source reported:
// what was decided about an event is in package classify.
package ingest

import "time"

// An Event is one observation reported by an agent. An empty string, the zero
// time and an Opt that is not Known mean that the source did not say.
type Event struct {
	ID         string    // unique per event; see [Event.ContentID] for events without one
	Time       time.Time // when it happened, in UTC
	Kind       Kind      // what was observed; [Failure] when the source does not say
	Agent      string    // the publishing system
	Session    string    // the run or conversation
	Turn       Opt[int64]
	Operation  string // what was tried: a skill, a tool, an API call
	Step       string // where in the operation
	Component  string // which part raised it
	ArgsHash   string // fingerprint of the call's arguments
	Incident   string // joins the attempts of one operation; empty: an incident of its own
	Attempt    Opt[int64]
	MaxRetries Opt[int64]   // the cap in force
	WaitMS     Opt[int64]   // milliseconds waited before this attempt
	DurationMS Opt[int64]   // milliseconds that the attempt took
	Code       string       // error code as the source gave it
	Status     string       // status as the source gave it
	Message    string       // text for people
	Detail     string       // longer output, its last [MaxDetail] bytes
	Resolution string       // a resolution tag or free text
	Score      Opt[float64] // what a quality gate measured
	ScoreBar   Opt[float64] // what it wanted
	ScoreName  string
	Provider   string
	Model      string
	Tokens     Opt[int64]
	CostUSD    Opt[float64]
	TraceID    string            // W3C trace id
	Source     string            // the adapter that made the event; [Native] for native ones
	Attrs      map[string]string // anything else; nil when there is nothing
}

// A Kind says what was observed.
type Kind string

// The kinds of events.
const (
	Failure Kind = "failure" // an attempt failed
	Success Kind = "success" // an attempt passed; with an incident it resolves it
	End     Kind = "end"     // the incident ended without success
)

// Kinds lists the kinds in the order of an incident's life.
var Kinds = []Kind{Failure, Success, End}

// Native is the Source of events that an agent published in our own format.
const Native = "hansei"

// An Opt is a number that may be absent. Its zero value is absent, which is
// not the number zero.
type Opt[T int64 | float64] struct {
	V     T
	Known bool
}

// Some returns an Opt that holds v.
func Some[T int64 | float64](v T) Opt[T] { return Opt[T]{v, true} }

// A Position is how far a stream of events has been handled.
type Position struct {
	Stream   string    // its name
	Created  time.Time // when it was made: a stream made anew counts from 1 again
	Sequence uint64    // of the last message handled; 0: none yet
}
