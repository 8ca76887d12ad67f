// Package fleet makes up the agents of hansei demo: five systems, their
// operations and the errors that they publish, month after month.
//
// The fleet is a table of [Cell], one for each agent × operation × category,
// and each cell states the truth from which its events are drawn: the chance
// that retry k passes. What reads the events, the tuner first of all, can so be
// held against what is true. A few cells have a [Role]: a policy that retries in
// vain, one that gives up too early, one to keep, one with too little data; and
// on one afternoon of the last month a provider fails for everyone, see
// [OutageOf].
//
// [Events] is a pure function of its [Options]. Every cell draws from a random
// source of its own, so a change to one leaves the draws of the others alone.
//
// How a chain is written down: every try is an event with its attempt. A retry
// that passes is a success with the next attempt. An outcome that is no retry (a
// fallback, a person) is a success without attempt; giving up is an end. A chain
// that falls silent stays open. Cells with Log write one failure without attempt
// for each incident, with the outcome in its resolution, as error logs do.
package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hansei/ingest"
)

// Options say which fleet to make. The zero value makes no events.
type Options struct {
	Seed   uint64
	From   time.Time // its month is the first one, in UTC; day and time do not count
	Months int       // how many months; none when not positive
}

// A Role says why a cell is in the fleet; plain cells have none.
type Role string

// The roles of cells that a tuner should judge.
const (
	Wasteful Role = "wasteful" // retries what can never pass
	TooFew   Role = "too few"  // its cap cuts off retries that would have passed
	Thin     Role = "thin"     // too few incidents to say anything
	Good     Role = "good"     // a policy to keep
)

// A Cell is a group of incidents under one policy, with the truth about them.
type Cell struct {
	Agent, Operation, Category string // Category as intended; a classifier should find it
	Role                       Role
	MaxRetries                 int
	Waits                      []time.Duration // before retry 1, 2, …; the last one repeats
	Took                       time.Duration   // the middle of an attempt's duration
	// Hazards are the chances that retry 1, 2, … passes, given that it is made.
	// It can be longer than MaxRetries: what more retries would have brought,
	// for judging a raised cap. Beyond its end nothing is known.
	Hazards []float64
	Log     bool // reported as an error log does, without attempts: hazards cannot be seen
	Outage  bool // hit by the outage

	perMonth int       // incidents in the first month
	tokens   int       // the middle of a call's tokens; 0: no model is called
	code     string    // stands for the texts' own codes, unless empty
	won      string    // resolution that a passing retry reports; empty: none
	gate     *gate     // of a quality gate, else nil
	ends     []outcome // when retries ran out; of Log: what the failure says
	texts    []text
}

// Cells returns the whole fleet by agent. The slice is the caller's, what its
// cells hold is not to be changed.
func Cells() []Cell {
	var all []Cell
	for _, a := range agents {
		for _, c := range a.cells {
			c.Agent = a.name
			all = append(all, c)
		}
	}
	return all
}

// Events returns the fleet's events in the order of time. What would come after
// the last month is left out, as nobody has seen it yet.
func Events(o Options) []ingest.Event {
	drawn := draw(o)
	events := make([]ingest.Event, len(drawn))
	for i := range drawn {
		events[i] = drawn[i].Event
	}
	return events
}

// Labels returns, for the same options as [Events], the index in [Cells] from
// which each event was drawn, by event id. Plain successes have none.
func Labels(o Options) map[string]int {
	labels := make(map[string]int)
	for _, d := range draw(o) {
		if d.cell >= 0 {
			labels[d.ID] = d.cell
		}
	}
	return labels
}

// An agent is one system of the fleet.
type agent struct {
	name      string
	session   string   // how its session ids begin
	component string   // which part raises its errors
	version   string   // of its program
	rhythm    *rhythm  // when it works
	models    []model  // that it calls, the first one most
	wraps     []string // how it words a provider's error, {{said}} in it
	traced    bool     // reports trace ids
	cells     []Cell
	passes    []pass
}

// agents is the fleet, in the order in which the design names the systems.
var agents = []*agent{&agentSkills, &monadic, &recovery, &openStarry, &commandMate}

// A pass is an operation whose successes are reported without an incident.
type pass struct {
	operation string
	perMonth  int
	took      time.Duration
	tokens    int
}

// growth is the fleet's factor per month: slow enough that a month's change
// is within its noise for most cells, and seen in the totals.
const growth = 1.05

// drawn is an event with the index of its cell in [Cells], -1 without one.
type drawn struct {
	ingest.Event
	cell int
}

func draw(o Options) []drawn {
	if o.Months <= 0 {
		return nil
	}
	year, month, _ := o.From.UTC().Date()
	o.From = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	until := o.From.AddDate(0, o.Months, 0)
	var all []drawn
	first := 0 // index of the agent's first cell
	for _, a := range agents {
		chains := a.draw(o)
		slices.SortStableFunc(chains, func(x, y *chain) int { return x.start.Compare(y.start) })
		for i, c := range chains {
			cell := -1
			if c.cell != nil {
				cell = first + c.index
			}
			for _, e := range c.numbered(i + 1) {
				if e.Time.Before(until) {
					all = append(all, drawn{e, cell})
				}
			}
		}
		first += len(a.cells)
	}
	slices.SortFunc(all, func(x, y drawn) int {
		return cmp.Or(x.Time.Compare(y.Time), strings.Compare(x.ID, y.ID))
	})
	return all
}

// draw returns the agent's incidents and plain successes, in no useful order.
func (a *agent) draw(o Options) []*chain {
	var chains []*chain
	outage := OutageOf(o)
	for i := range a.cells {
		cell := &a.cells[i]
		key := fmt.Sprintf("%s/%s/%s", a.name, cell.Operation, cell.Category)
		scale := 1.0
		for m := range o.Months {
			r := source(o.Seed, key, m)
			for range count(r, float64(cell.perMonth)*scale) {
				start := a.rhythm.draw(r, o.From.AddDate(0, m, 0))
				chains = append(chains, a.incident(r, i, start, nil))
			}
			scale *= growth
		}
		if cell.Outage {
			r := source(o.Seed, key+"/outage", 0)
			for range outagePerCell {
				chains = append(chains, a.incident(r, i, outage.draw(r), &outage))
			}
		}
	}
	for _, p := range a.passes {
		for m := range o.Months {
			r := source(o.Seed, a.name+"/"+p.operation+"/pass", m)
			for range count(r, float64(p.perMonth)) {
				chains = append(chains, a.pass(r, p, a.rhythm.draw(r, o.From.AddDate(0, m, 0))))
			}
		}
	}
	return chains
}
