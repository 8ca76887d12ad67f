package analyze

import (
	"fmt"
	"math"
)

// A lender counts what the cells of one category lend each other beside the
// hazards of retries: by line of a knob's evidence how often something won. What
// is no proportion is not lent: the waits that a curve reaches, the time that 99 %
// of the calls take and the share of an agent's traffic differ between cells by
// orders of magnitude, so that those of others tell nothing of this one's.
type lender struct {
	knob  string
	count func(c *Cell) []tally
}

var lenders = []lender{
	{stopAfterName, lendStops},
	{scoreBarName, lendIterations},
	{timeoutName, lendCalls},
	{callDepthName, lendTurns},
}

// lend gives each cell what the others know of its retries and the rest of its
// evidence, and looks at each for oddities. What came before the server wanted it
// is no evidence for the others either, see haste.
func lend(all []Cell, odd *oddities, worth float64) {
	counts := make([][]tally, len(all))
	others := make([][][]tally, len(lenders))
	for i := range others {
		others[i] = make([][]tally, len(all))
	}
	seen := make([]oddities, len(all))
	eachCell(all, func(i int, on *bench) {
		c := &all[i]
		c.counts = nil
		seen[i].countCell(c.count())
		of := *c
		if of.counts.scored || of.counts.asked || len(of.counts.caps) > 1 || len(of.bursts) > 0 { // not all of it may decide
			v := viewOf(c.outlined(on))
			var hasty haste
			if of, hasty = v.patient(worth); hasty.rules() {
				of = of.of(nil)
			}
		}
		counts[i] = of.count().sighted().tallies()
		for k := range lenders {
			others[k][i] = lenders[k].count(&of)
		}
	})
	shares := sharesLeft(all, counts)
	for i, pool := range pools(all, counts) {
		all[i].Pool, all[i].Shares = pool, shares[all[i].Scope.Category]
		all[i].Lent = map[string][]Pooled{}
		odd.addCells(&seen[i])
	}
	lendFirst(all, counts, worth)
	for k := range lenders {
		for i, pool := range pools(all, others[k]) {
			if len(others[k][i]) > 0 {
				all[i].Lent[lenders[k].knob] = pool
			}
		}
	}
}

func lendStops(c *Cell) []tally { return talliesOf(c.count().sighted().recovered()) }

func lendIterations(c *Cell) []tally {
	bands, _, n := c.shortfalls()
	if n == 0 {
		return nil
	}
	var out []tally
	for _, e := range bands {
		out = append(out, tally{e.Won, e.AtRisk})
	}
	return out
}

// lendCalls counts the calls that came near a limit.
func lendCalls(c *Cell) []tally {
	calls := inTime(c.Durations)
	limit, ok := limitOf(calls)
	if !ok {
		return nil
	}
	_, late := slowest(calls, limit, nil)
	return talliesOf([]Evidence{late})
}

// lendTurns counts the turns that came near a limit.
func lendTurns(c *Cell) []tally {
	limit, ok := limitOf(c.Depths)
	if !ok {
		return nil
	}
	_, late := slowest(c.Depths, limit, nil)
	return talliesOf([]Evidence{late})
}

func talliesOf(of []Evidence) (out []tally) {
	for _, e := range of {
		out = append(out, tally{e.Won, e.AtRisk})
	}
	return out
}

// told reports whether the cells around tell of a line of the evidence, and what.
func told(around []Pooled, line int) (Pooled, bool) {
	if line < 0 || line >= len(around) || around[line].From == noPool.From {
		return noPool, false
	}
	return around[line], true
}

// finish reckons what follows from the counts, and from what the cells around
// tell of that line of the evidence.
func (e *Evidence) finish(around []Pooled, line int) {
	e.Hazard = float64(e.Won) / float64(e.AtRisk)
	e.Low, e.High = wilson(e.Won, e.AtRisk)
	d := e.posterior(around, line)
	e.Believed = d.mean()
	e.BelievedLow, e.BelievedHigh = d.bounds()
}

// posterior is what is believed of a line of the evidence.
func (e *Evidence) posterior(around []Pooled, line int) beta {
	prior := jeffreys
	if p, ok := told(around, line); ok {
		prior = p.atMost(float64(e.AtRisk))
	}
	return prior.after(e.Won, e.AtRisk)
}

// likely returns the bounds that decide: those of the posterior where the cells
// around are heard, else Wilson's.
func (e *Evidence) likely(around []Pooled, line int) (low, high float64) {
	if _, ok := told(around, line); ok {
		return e.BelievedLow, e.BelievedHigh
	}
	return e.Low, e.High
}

// enough returns how many more trials of its own a line of the evidence needs
// before a verdict, where the cells around lend at most as many as it has.
func enough(own int, around []Pooled, line int) (needed int) {
	lent := 0.0
	if p, ok := told(around, line); ok {
		lent = p.Strength
	}
	n := own
	for float64(n)+min(float64(n), lent) < minIncidents {
		n++
	}
	return n - own
}

// vouched reports whether a line of the evidence may decide before it has enough
// trials of its own: the cells around vouch for it, which takes twice the strength
// of the prior of whoever knows nothing.
func vouched(own int, around []Pooled, line int) bool {
	p, ok := told(around, line)
	return ok && own >= minOwn && p.Strength >= 2*jeffreys.strength()
}

// lean notes that the cells around were heard about a line of the evidence.
func (s *Suggestion) lean(around []Pooled, line int) {
	if p, ok := told(around, line); ok {
		s.Pool = &p
	}
}

// lentNouns are what the strength of a knob's pool counts.
var lentNouns = map[string]struct{ one, many string }{
	timeoutName:   {"call", "calls"},
	callDepthName: {"turn", "turns"},
	scoreBarName:  {"iteration", "iterations"},
}

// tellPool tells how much the cells around count: no more than its own.
func (s *Suggestion) tellPool() {
	around := map[string]Text{"agent": {"the agent's other operations show", "同じエージェントの他の操作"}, "category": {"other agents and operations show", "他のエージェントや操作"}}[s.Pool.From]
	of := Text{" of this category", "での同カテゴリの実績も"}
	if s.Scope.Category == "" {
		of = Text{"", "での実績も"}
	}
	if s.Scope.Operation == "" {
		around = Text{"other agents show", "他のエージェント"}
	}
	count := s.Pool.Strength
	if len(s.Evidence) > 0 {
		count = min(count, float64(s.Evidence[0].AtRisk))
	}
	noun, known := lentNouns[s.Knob]
	if !known {
		noun.one, noun.many = "incident", "incidents"
	}
	name := noun.many
	if math.Round(count) == 1 {
		name = noun.one
	}
	s.Reason.EN += fmt.Sprintf(" What %s%s counts as %.0f %s beside its own.", around.EN, of.EN, count, name)
	s.Reason.JA += fmt.Sprintf("%s%s、%.0f件分として加味しました。", around.JA, of.JA, count)
}
