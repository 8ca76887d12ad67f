package analyze

import (
	"cmp"
	"context"
	"slices"

	"hansei/queries"
)

// A Replayed is what the recorded incidents of a cell would have come to under
// one policy, against what was recorded or against another policy.
type Replayed struct {
	Scope     Scope  `json:"scope"` // empty: all cells together
	Incidents int    `json:"incidents"`
	Cap       int    `json:"max_retries"` // under the policy, its stop_after included; -1: as it was recorded
	Against   int    `json:"against_max_retries"`
	Effect    Effect `json:"effect"`
	// Extrapolated tells that some incidents were given up before the policy
	// would have, or wait otherwise: what they come to is then an expectation.
	Extrapolated bool `json:"extrapolated"`
}

// Replay runs every recorded incident of span under policy, against the record
// or, unless nil, against another policy. It is exact where a policy is
// stricter than what was recorded. Cells that nothing changes are left out; the
// last row is the sum.
func Replay(ctx context.Context, db queries.DB, span queries.Span, policy, against *Policies) ([]Replayed, error) {
	all, err := readCells(ctx, db, span, &oddities{})
	if err != nil {
		return nil, err
	}
	return replayCells(all, policy, against), nil
}

func replayCells(all []Cell, policy, against *Policies) []Replayed {
	out := []Replayed{}
	var sum totals
	total := Replayed{Cap: -1, Against: -1}
	var on bench
	for _, c := range all {
		c = c.recalled(&on)
		steps := hazards(sighted(c.Chains), TuneOptions{})
		a, b := planOf(policy, c.Scope), planOf(against, c.Scope)
		row := Replayed{Scope: c.Scope, Incidents: len(c.Chains), Cap: a.cap, Against: b.cap}
		total.Incidents += row.Incidents
		var t totals
		for _, chain := range c.Chains {
			x, y := a.run(&chain, steps), b.run(&chain, steps)
			row.Extrapolated = row.Extrapolated || x.guessed || y.guessed
			t.add(x, y)
			sum.add(x, y)
		}
		total.Extrapolated = total.Extrapolated || row.Extrapolated
		if row.Effect = t.effect(); row.Effect != (Effect{}) {
			out = append(out, row)
		}
	}
	slices.SortStableFunc(out, func(a, b Replayed) int { return cmp.Compare(a.Effect.WaitS, b.Effect.WaitS) })
	total.Effect = sum.effect()
	return append(out, total)
}

// NotReplayed names the thresholds that the policies set and that [Replay] cannot
// run incidents under: they are about calls, turns or scores.
func NotReplayed(policies ...*Policies) (names []string) {
	for _, p := range policies {
		if p == nil {
			continue
		}
		for _, e := range p.entries {
			for name := range e.settings() {
				if !slices.Contains([]string{maxRetriesKnob, stopAfterName, delaysKnob}, name) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// A plan is what a policy says of one cell; -1 and nil: as it was recorded.
type plan struct {
	cap    int
	delays []float64
}

// planOf reads a policy's plan; nil is the record.
func planOf(p *Policies, s Scope) plan {
	out := plan{cap: -1}
	if p == nil {
		return out
	}
	policy := p.Of(s)
	if policy.MaxRetries != nil {
		out.cap = *policy.MaxRetries
	}
	if n := policy.StopAfter; n != nil && (out.cap < 0 || *n-1 < out.cap) { // n failures are n−1 retries
		out.cap = *n - 1
	}
	out.delays = policy.Delays
	return out
}

// A result is what one incident comes to.
type result struct {
	won, variance, retries float64
	spent                  Price
	guessed                bool
}

// run replays one incident.
func (p plan) run(c *Chain, steps []step) result {
	made := c.Retries
	r := result{}
	if p.cap >= 0 && p.cap < made {
		made = p.cap
	} else if c.Won {
		r.won = 1
	}
	for k := range made {
		spent := c.spent(k, steps)
		if len(p.delays) > 0 && c.Cost[k].Known {
			if wait := p.delays[min(k, len(p.delays)-1)]; wait != spent.Waited {
				spent.Seconds += wait - spent.Waited
				r.guessed = true // another wait may find another outcome
			}
		}
		r.spent = r.spent.plus(spent, 1)
	}
	r.retries = float64(made)
	// Only an incident that its own cap cut off would have gone on.
	if p.cap > c.Retries && c.Lost && c.Cap >= 0 && c.Retries >= c.Cap && len(steps) > 0 {
		won, more, spent := prolong(c.Retries, p.cap, steps)
		r.won, r.variance, r.guessed = won, won*(1-won), true
		r.retries += more
		r.spent = r.spent.plus(spent, 1)
	}
	return r
}

// totals sum the differences between two results.
type totals struct{ resolved, retries, wait, tokens, usd sample }

func (t *totals) add(a, b result) {
	t.resolved.add(a.won-b.won, a.variance+b.variance)
	t.retries.add(a.retries-b.retries, 0)
	t.wait.add(a.spent.Seconds-b.spent.Seconds, 0)
	t.tokens.add(a.spent.Tokens-b.spent.Tokens, 0)
	t.usd.add(a.spent.USD-b.spent.USD, 0)
}

func (t *totals) effect() Effect {
	return Effect{
		Resolved: round(t.resolved.sum), Retries: round(t.retries.sum), WaitS: round(t.wait.sum), Tokens: round(t.tokens.sum), CostUSD: round(t.usd.sum),
		Interval: EffectIntervals{
			Resolved: t.resolved.interval(0), Retries: t.retries.interval(0), WaitS: t.wait.interval(0),
			Tokens: t.tokens.interval(0), CostUSD: t.usd.interval(0),
		},
	}
}
