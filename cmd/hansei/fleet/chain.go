package fleet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"hansei/ingest"
)

// cutShare is the chance, before each retry, that the chain is cut off for a
// reason that has nothing to do with its hazard: half fall silent, half are
// stopped. Small enough that most incidents end, large enough to be seen.
const cutShare = 0.015

// otherText is the chance that a later attempt fails with other words.
const otherText = 0.2

// A gate is a bar that the work must reach.
type gate struct {
	name   string
	bar    float64
	scores []float64 // the middle of a failing score, by attempt
}

// An ending is what an incident comes to without a passing retry.
type ending struct {
	kind       ingest.Kind // "" is silence
	resolution string
	after      time.Duration // middle of the time since the last failure
}

// An outcome is an ending with its weight among others.
type outcome struct {
	weight int
	ending
}

// The endings in the tags of the taxonomy. The times are what such a step
// takes: a program gives up at once, a person comes back within the hour.
var (
	silence    = ending{}
	abandoned  = ending{ingest.End, "abandoned", 2 * time.Second}
	skipped    = ending{ingest.End, "skipped", time.Second}
	partial    = ending{ingest.End, "partial", 5 * time.Second}
	stopped    = ending{ingest.End, "stopped", 20 * time.Second}
	terminated = ending{ingest.End, "terminated", time.Second}
	fellBack   = ending{ingest.Success, "fallback", 12 * time.Second}
	degraded   = ending{ingest.Success, "degraded", 6 * time.Second}
	byHuman    = ending{ingest.Success, "human", 35 * time.Minute}
)

// says is an ending that an error log words itself.
func says(resolution string) ending { return ending{resolution: resolution} }

// A chain is one incident in the making, or one plain success.
type chain struct {
	agent  *agent
	cell   *Cell // nil for a plain success
	index  int   // of the cell in its agent
	r      *rand.Rand
	seed   uint64 // of the words that stay the same through the incident
	model  *model // nil when none is called
	outage *Outage
	start  time.Time
	now    time.Time
	text   text
	events []ingest.Event
}

func (a *agent) incident(r *rand.Rand, index int, start time.Time, outage *Outage) *chain {
	cell := &a.cells[index]
	c := &chain{
		agent: a, cell: cell, index: index, r: r, seed: r.Uint64(),
		outage: outage, start: start, now: start,
	}
	if cell.tokens > 0 {
		c.model = a.pick(r, outage)
	}
	c.choose()
	if cell.Log {
		c.log()
	} else {
		c.run()
	}
	return c
}

func (a *agent) pass(r *rand.Rand, p pass, start time.Time) *chain {
	c := &chain{agent: a, r: r, seed: r.Uint64(), start: start, now: start}
	if p.tokens > 0 {
		c.model = a.pick(r, nil)
	}
	e := c.event(ingest.Success)
	e.Operation = p.operation
	e.Attempt = ingest.Some[int64](1)
	e.DurationMS = millis(spread(r, p.took))
	c.spend(&e, p.tokens)
	c.events = append(c.events, e)
	return c
}

// run plays the incident: attempts up to the cap, then an ending.
func (c *chain) run() {
	c.fail(1, 0)
	for k := 1; k <= c.cell.MaxRetries; k++ {
		if c.r.Float64() < cutShare {
			if c.r.IntN(2) == 0 {
				c.end(stopped)
			}
			return
		}
		wait := c.wait(k)
		c.now = c.now.Add(wait)
		if c.r.Float64() < c.hazard(k) {
			c.pass(k+1, wait)
			return
		}
		c.fail(k+1, wait)
	}
	c.end(pickEnding(c.r, c.cell.ends))
}

// hazard is the chance that retry k, made now, passes. A cell has a hazard for
// each retry up to its cap.
func (c *chain) hazard(k int) float64 {
	if c.outage != nil && c.now.Before(c.outage.To) {
		return c.outage.Hazard
	}
	return c.cell.Hazards[k-1]
}

// wait is the wait before retry k: the policy's, up to a tenth longer as real
// backoffs have jitter.
func (c *chain) wait(k int) time.Duration {
	if len(c.cell.Waits) == 0 {
		return 0
	}
	w := c.cell.Waits[min(k, len(c.cell.Waits))-1]
	return (w + time.Duration(0.1*c.r.Float64()*float64(w))).Truncate(time.Millisecond)
}

// attempt is an event of the incident's n-th try, made after wait.
func (c *chain) attempt(kind ingest.Kind, n int, wait time.Duration) ingest.Event {
	took := spread(c.r, c.cell.Took)
	if n > 1 { // the first try ends when the incident starts
		c.now = c.now.Add(took)
	}
	e := c.event(kind)
	e.Attempt = ingest.Some(int64(n))
	e.MaxRetries = ingest.Some(int64(c.cell.MaxRetries))
	e.WaitMS = millis(wait)
	e.DurationMS = millis(took)
	return e
}

func (c *chain) fail(n int, wait time.Duration) {
	e := c.attempt(ingest.Failure, n, wait)
	if n > 1 && c.r.Float64() < otherText {
		c.choose()
	}
	if g := c.cell.gate; g != nil {
		score := g.scores[min(n, len(g.scores))-1] + float64(c.r.IntN(5)-2) // two points either way
		e.Score, e.ScoreBar, e.ScoreName = ingest.Some(min(score, g.bar-1)), ingest.Some(g.bar), g.name
	}
	c.word(&e)
	if billed(c.cell.Category) {
		c.spend(&e, c.cell.tokens)
	}
	c.events = append(c.events, e)
}

func (c *chain) pass(n int, wait time.Duration) {
	e := c.attempt(ingest.Success, n, wait)
	if g := c.cell.gate; g != nil {
		// passing work lands between the bar and 14 points above it
		e.Score, e.ScoreBar, e.ScoreName = ingest.Some(g.bar+float64(c.r.IntN(15))), ingest.Some(g.bar), g.name
	}
	e.Resolution = c.cell.won
	c.spend(&e, c.cell.tokens)
	c.events = append(c.events, e)
}

// end writes how the incident ended; silence writes nothing.
func (c *chain) end(how ending) {
	if how.kind == "" {
		return
	}
	c.now = c.now.Add(spread(c.r, how.after))
	e := c.event(how.kind)
	e.Provider, e.Model = "", "" // what ended it was no call of that model
	e.Resolution = how.resolution
	if how.kind == ingest.End {
		e.MaxRetries = ingest.Some(int64(c.cell.MaxRetries))
	}
	c.events = append(c.events, e)
}

// log writes the incident as an error log does: one failure, its outcome in it.
func (c *chain) log() {
	e := c.event(ingest.Failure)
	if g := c.cell.gate; g != nil {
		e.Score, e.ScoreBar, e.ScoreName = ingest.Some(g.scores[len(g.scores)-1]), ingest.Some(g.bar), g.name
	}
	c.word(&e)
	e.Resolution = pickEnding(c.r, c.cell.ends).resolution
	e.Source = "agentskills"
	c.events = append(c.events, e)
}

// event is what all events of the chain have in common.
func (c *chain) event(kind ingest.Kind) ingest.Event {
	w := c.words(nil)
	e := ingest.Event{
		Time:  c.now,
		Kind:  kind,
		Agent: c.agent.name,
		// a session lasts four hours of a day, and there are two at a time
		Session:   fmt.Sprintf("%s-%s-%d%c", c.agent.session, c.start.Format("20060102"), c.start.Hour()/4, 'a'+c.seed%2),
		Turn:      ingest.Some(int64(1 + c.seed>>8%12)),
		Component: c.agent.component,
		ArgsHash:  w.hex(16),
		Source:    ingest.Native,
		Attrs:     map[string]string{"version": c.agent.version, "worker": fmt.Sprintf("worker-%02d", 1+c.seed>>16%4)},
	}
	if c.cell != nil {
		e.Operation = c.cell.Operation
	}
	if c.agent.traced {
		e.TraceID = w.hex(32)
	}
	if c.model != nil {
		e.Provider, e.Model = c.model.provider, c.model.name
	}
	return e
}

// spend notes the call's tokens and their price.
func (c *chain) spend(e *ingest.Event, tokens int) {
	if c.model == nil {
		return
	}
	n := int64(math.Ceil(float64(tokens) * factor(c.r)))
	e.Tokens = ingest.Some(n)
	// to a millionth of a dollar, as providers bill
	e.CostUSD = ingest.Some(math.Round(float64(n)*c.model.price) / 1e6)
}

// billed says whether a failed call of this kind has used tokens: refused and
// lost calls have not.
func billed(category string) bool {
	switch category {
	case rateLimit, network, serverError, auth, quota, contextLength:
		return false
	}
	return true
}

// numbered returns the chain's events with their ids, as the agent's n-th.
func (c *chain) numbered(n int) []ingest.Event {
	incident := fmt.Sprintf("demo-%s-%06d", c.agent.name, n)
	for i := range c.events {
		e := &c.events[i]
		last := "end"
		switch {
		case c.cell == nil:
			last = "pass"
		case c.cell.Log:
			last = "log"
		case e.Attempt.Known:
			last = strconv.FormatInt(e.Attempt.V, 10)
		}
		e.ID = incident + "-" + last
		if last != "pass" && last != "log" {
			e.Incident = incident
		}
	}
	return c.events
}

func millis(d time.Duration) ingest.Opt[int64] { return ingest.Some(d.Milliseconds()) }
