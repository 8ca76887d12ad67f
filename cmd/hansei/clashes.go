package main

import (
	"fmt"
	"hash/maphash"
	"io"
	"time"

	"hansei/ingest"
)

// clashes notices ids that are given to several events: only the first of them
// is kept, which is right for one that is sent twice and a loss for others. Its
// zero value knows no event.
type clashes struct {
	seed  maphash.Seed
	first map[string]firstEvent // by id
	found int
}

// A firstEvent is the first one of an id.
type firstEvent struct {
	position string
	agent    string
	time     time.Time
	content  uint64 // hash of what tells it from others
}

// Bounds of clashes: the ids that it remembers take some 40 MB, and a counter
// that begins anew with every run clashes within far fewer; of a mistake that
// runs through a file, the first few say all.
const (
	maxFirst       = 1 << 17
	maxToldClashes = 3
)

// look tells w when the id of an event, which stands at a position, is that of
// another one. An id made of the content cannot be.
func (c *clashes) look(e *ingest.Event, position string, w io.Writer) {
	if c.first == nil {
		c.seed, c.first = maphash.MakeSeed(), map[string]firstEvent{}
	}
	content := c.hash(e)
	first, known := c.first[e.ID]
	switch {
	case !known && len(c.first) < maxFirst:
		c.first[e.ID] = firstEvent{position, e.Agent, e.Time, content}
	case known && first.content != content:
		if c.found++; c.found <= maxToldClashes {
			fmt.Fprintf(w, "%s: id %q (agent %s, %s) is also that of %s (agent %s, %s): an id is unique per event, over all agents and runs, so only the first of the two is kept\n",
				position, e.ID, e.Agent, e.Time.Format(time.RFC3339), first.position, first.agent, first.time.Format(time.RFC3339))
		}
	}
}

// hash is of what two events differ in that are not the same one sent twice.
func (c *clashes) hash(e *ingest.Event) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, text := range []string{e.Agent, string(e.Kind), e.Session, e.Operation, e.Incident, e.Code, e.Message} {
		h.WriteString(text)
		h.WriteByte(0)
	}
	maphash.WriteComparable(&h, e.Attempt)
	maphash.WriteComparable(&h, e.Time.UnixNano())
	return h.Sum64()
}

// tell says how many there were, and what to do.
func (c *clashes) tell(w io.Writer) {
	if c.found > 0 {
		fmt.Fprintf(w, "warning: %s of another one: left out; make ids of agent, run and number, or leave them out: then the content tells events apart\n", counted(c.found, "event has the id", "events have the id"))
	}
}
