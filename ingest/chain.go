package ingest

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// chains joins the attempts of a request to one incident, for sources that
// record each attempt by itself. Its zero value is ready to use.
type chains struct {
	open   map[string]*chain
	resend bool // events that were joined before are given again, since a sender may not know that they arrived
}

// A chain is what is known of one request.
type chain struct {
	incident string           // the id of its first failure
	scope    string           // of the request, such as the prompt it serves; "" fits any
	last     Opt[int64]       // the largest attempt so far
	wait     Opt[int64]       // before the attempt to come
	max      Opt[int64]       // the cap
	state    chainState       // what its latest event said
	closer   teller           // who said that it ended
	at       time.Time        // of that event
	attempts map[string]int64 // of the events that were joined, by id; 0: unknown
}

type chainState int

const (
	failing chainState = iota
	passed
	ended
)

// A teller is a way on which an agent tells of a request. Some tell of the same
// failure at different times.
type teller int

const (
	byLine teller = iota // a line of a session, in the order of things
	byLog                // a log, sent in batches: late
	byHook               // a hook, told at once: early
	byEnd                // a record about the whole of a request or run
)

// A link says which request an event belongs to.
type link struct {
	key   string     // of requests of which one is under way at a time
	scope string     // narrows the key; a request of another scope is another
	count bool       // the source does not count attempts, but records each
	next  Opt[int64] // milliseconds until the next attempt
	check bool       // an attempt that was taken for passed may be found to be no good
	by    teller
}

// Bounds of what is remembered. Events of a request lie close together: a
// limit of requests is waited out for minutes, and an exporter sends its log in
// batches of seconds, while a hook is told at once.
const (
	maxChains  = 4096
	maxMembers = 64
	sameChain  = 24 * time.Hour
	lateness   = 15 * time.Second
)

// fail joins a failed attempt to its request, or begins one with it. As the
// others, it returns e for the list of events, or nothing when it was joined before.
func (c *chains) fail(l link, e *Event) []Event {
	identify(e)
	ch := c.open[l.key]
	if ch != nil && ch.again(e) {
		return c.repeat(e)
	}
	if ch == nil || !ch.takes(l, e) {
		ch = &chain{incident: e.ID}
		c.put(l.key, ch, e.Time)
	}
	if ch.scope == "" {
		ch.scope = l.scope
	}
	if l.count && !e.Attempt.Known {
		e.Attempt = Some(ch.last.V + 1)
	}
	if ch.state != ended {
		ch.state = failing
	}
	ch.join(e)
	if l.next.Known {
		ch.wait = l.next
	}
	return []Event{*e}
}

func (c *chains) repeat(e *Event) []Event {
	if c.resend {
		return []Event{*e}
	}
	return nil
}

// takes reports whether a failure is the next attempt of the chain.
func (ch *chain) takes(l link, e *Event) bool {
	if ch.scope != "" && l.scope != "" && ch.scope != l.scope || e.Time.Sub(ch.at) > sameChain {
		return false
	}
	follows := !e.Attempt.Known || !ch.last.Known || e.Attempt.V > ch.last.V
	switch ch.state {
	case passed:
		return l.check && e.Attempt == ch.last
	case ended: // the log of what a hook told
		return l.by == byLog && ch.closer != byLine && (follows || e.Attempt == ch.last) && !e.Time.After(ch.at.Add(lateness))
	}
	return follows
}

// pass ends a request with the attempt that passed; nothing when none was failing.
func (c *chains) pass(l link, e *Event) []Event {
	e.Kind = Success
	return c.close(l, e, passed)
}

// end ends a request without success; nothing when none was failing.
func (c *chains) end(l link, e *Event) []Event {
	e.Kind = End
	return c.close(l, e, ended)
}

func (c *chains) close(l link, e *Event, state chainState) []Event {
	ch := c.open[l.key]
	if ch == nil {
		return nil
	}
	identify(e)
	if ch.again(e) {
		return c.repeat(e)
	}
	if ch.state == passed && l.check && state == ended {
		ch.state = failing
	}
	if ch.state != failing || ch.scope != "" && l.scope != "" && ch.scope != l.scope {
		return nil
	}
	if state == passed && ch.last.Known && !e.Attempt.Known {
		e.Attempt = Some(ch.last.V + 1)
	}
	ch.state, ch.closer = state, l.by
	ch.join(e)
	return []Event{*e}
}

// failFinally joins a failure after which no attempt follows.
func (c *chains) failFinally(l link, e *Event) []Event {
	events := c.fail(l, e)
	if ch := c.open[l.key]; ch != nil {
		ch.state, ch.closer = ended, l.by
	}
	return events
}

// move makes a request that is failing that of another key.
func (c *chains) move(from, to string) {
	if ch := c.open[from]; ch != nil && from != to {
		c.open[to] = ch
		delete(c.open, from)
	}
}

// forget says that a new request begins: what ended before is no part of it.
func (c *chains) forget(key string) {
	if ch := c.open[key]; ch != nil && ch.state != failing {
		delete(c.open, key)
	}
}

// told reports whether another teller has just said that a request ended.
func (c *chains) told(l link, t time.Time) bool {
	ch := c.open[l.key]
	return ch != nil && ch.state == ended && ch.closer != l.by && !t.After(ch.at.Add(lateness))
}

// latest finds the chain whose key begins with prefix and whose state is the
// given one; of several, that of the latest event.
func (c *chains) latest(prefix string, state chainState) (string, bool) {
	best := ""
	for key, ch := range c.open {
		if ch.state != state || !strings.HasPrefix(key, prefix) {
			continue
		}
		if best == "" || ch.at.After(c.open[best].at) || ch.at.Equal(c.open[best].at) && key < best {
			best = key
		}
	}
	return best, best != ""
}

// delay says how long the next attempt of a request waits, and its cap.
func (c *chains) delay(key string, wait, most Opt[int64]) {
	if ch := c.open[key]; ch != nil {
		ch.wait = wait
		if most.Known {
			ch.max = most
		}
	}
}

// join makes e a part of the chain.
func (ch *chain) join(e *Event) {
	e.Incident = ch.incident
	if e.Kind != End {
		if !e.WaitMS.Known {
			e.WaitMS = ch.wait
		}
		ch.wait = Opt[int64]{}
	}
	if e.MaxRetries.Known {
		ch.max = e.MaxRetries
	}
	e.MaxRetries = ch.max
	if e.Attempt.Known && e.Attempt.V > ch.last.V {
		ch.last = e.Attempt
	}
	ch.at = e.Time
	if ch.attempts == nil {
		ch.attempts = map[string]int64{}
	}
	if len(ch.attempts) < maxMembers {
		ch.attempts[e.ID] = e.Attempt.V
	}
}

// attemptOf returns which attempt of a request has an id.
func (c *chains) attemptOf(l link, id string) (attempt int64, ok bool) {
	if ch := c.open[l.key]; ch != nil {
		attempt, ok = ch.attempts[id]
	}
	return attempt, ok
}

// again reports whether the chain has e already, as when a batch is sent a
// second time, and gives it what it had.
func (ch *chain) again(e *Event) bool {
	attempt, ok := ch.attempts[e.ID]
	if !ok {
		return false
	}
	e.Incident = ch.incident
	if attempt > 0 {
		e.Attempt = Some(attempt)
	}
	return true
}

// put opens a chain, and forgets the older half when there are too many.
func (c *chains) put(key string, ch *chain, at time.Time) {
	if c.open == nil {
		c.open = map[string]*chain{}
	}
	ch.at = at
	if _, ok := c.open[key]; !ok && len(c.open) >= maxChains {
		var times []time.Time
		for _, other := range c.open {
			times = append(times, other.at)
		}
		slices.SortFunc(times, time.Time.Compare)
		for other, ch := range c.open {
			if !ch.at.After(times[len(times)/2]) {
				delete(c.open, other)
			}
		}
	}
	c.open[key] = ch
}

// resume makes a chain know an event that was stored before this process began.
func (c *chains) resume(l link, e Event) {
	ch := c.open[l.key]
	if ch == nil || ch.incident != e.incident() {
		ch = &chain{incident: e.incident()}
		c.put(l.key, ch, e.Time)
	}
	ch.scope = cmp.Or(ch.scope, l.scope)
	switch {
	case e.Kind == Success:
		ch.state = passed
	case e.Kind == End, e.Resolution != "":
		ch.state, ch.closer = ended, l.by
	}
	ch.join(&e)
}

// fromZero are those who count attempts from 0, which shows once a first try
// was seen.
type fromZero map[string]bool

// attempt returns what who counts, counted from 1.
func (z fromZero) attempt(who string, attempt Opt[int64]) Opt[int64] {
	if attempt.Known && attempt.V == 0 && len(z) < maxChains {
		z[who] = true
	}
	if attempt.Known && (attempt.V == 0 || z[who]) {
		attempt.V++
	}
	return attempt
}

// identify gives e an id, which chains go by.
func identify(e *Event) {
	if e.ID == "" {
		e.ID = e.ContentID()
	}
}
