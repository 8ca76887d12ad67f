package analyze

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"hansei/queries"
)

// A Replayed is what the recorded incidents of a cell would have come to under
// one policy, against what was recorded or against another policy. With a Knob
// it is about the calls, turns or hours that this threshold changes.
type Replayed struct {
	Scope     Scope  `json:"scope"`          // empty: all cells together
	Knob      string `json:"knob,omitempty"` // timeout: of calls; call_depth: of turns; retry_budget: of hours
	Incidents int    `json:"incidents"`      // calls, turns or hours that change, with a Knob
	Cap       int    `json:"max_retries"`    // under the policy, its stop_after included; -1: as it was recorded
	Against   int    `json:"against_max_retries"`
	// What a Knob is set to; nil: as it was recorded.
	Limit        *float64 `json:"limit,omitempty"`
	AgainstLimit *float64 `json:"against_limit,omitempty"`
	// Effect counts as resolved, with a Knob: calls that pass, turns that end by
	// themselves, retries that pass. Its seconds are those that calls run.
	Effect Effect `json:"effect"`
	// Extrapolated tells that some incidents were given up before the policy
	// would have, or wait otherwise: what they come to is then an expectation.
	Extrapolated bool `json:"extrapolated"`
}

// Replay runs every recorded incident of span under policy, against the record
// or, unless nil, against another policy, and what its other limits change. It
// is exact where a policy is stricter than what was recorded. Cells that nothing
// changes are left out. Rows with a Knob come first; the last row is the sum of
// those of incidents.
func Replay(ctx context.Context, db queries.DB, span queries.Span, policy, against *Policies) ([]Replayed, error) {
	all, err := readCells(ctx, db, span, &oddities{})
	if err != nil {
		return nil, err
	}
	limits, err := replayLimits(ctx, db, span, policy, against)
	if err != nil {
		return nil, err
	}
	return append(limits, replayCells(all, policy, against)...), nil
}

func replayCells(all []Cell, policy, against *Policies) []Replayed {
	out := []Replayed{}
	var sum totals
	total := Replayed{Cap: -1, Against: -1}
	var on bench
	for _, c := range all {
		c = c.recalled(&on)
		a, b := planOf(policy, c.Scope), planOf(against, c.Scope)
		before := experienceOf(&c, len(a.delays)+len(b.delays) > 0)
		row := Replayed{Scope: c.Scope, Incidents: len(c.chains()), Cap: a.cap, Against: b.cap}
		total.Incidents += row.Incidents
		var t totals
		for _, chain := range c.chains() {
			x, y := a.run(&chain, before), b.run(&chain, before)
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

// Thresholds names those that policies set, by name.
func Thresholds(policies ...*Policies) (names []string) {
	for _, p := range policies {
		if p == nil {
			continue
		}
		for _, e := range p.entries {
			names = slices.AppendSeq(names, maps.Keys(e.settings()))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A plan is what a policy says of one cell; -1 and nil: as it was recorded.
type plan struct {
	cap    int
	delays []float64
	bar    *float64
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
	out.delays, out.bar = policy.Delays, policy.ScoreBar
	return out
}

// A result is what one incident comes to.
type result struct {
	won, variance, retries float64
	less, more             float64 // that won may be, as the record leaves open
	spent                  Price
	guessed                bool
}

// run replays one incident.
func (p plan) run(c *Chain, before *experience) result {
	if c.Won && len(p.delays) > 0 && p.bar == nil {
		return p.rewait(c, before)
	}
	r, steps := result{}, before.steps
	made, won := c.Retries, c.Won
	if p.bar != nil && len(c.Scores) > 0 {
		made, won, r.guessed = c.underBar(*p.bar)
	}
	if p.cap >= 0 && p.cap < made {
		made, won = p.cap, false
	}
	if won {
		r.won = 1
	}
	for k := range made {
		spent := c.spent(k, steps)
		later := p.later(k, &spent)
		spent.Seconds += later
		r.guessed = r.guessed || later != 0 // another wait may find another outcome
		r.spent = r.spent.plus(spent, 1)
	}
	r.retries = float64(made)
	// Only an incident that its own cap cut off would have gone on.
	if p.cap > c.Retries && c.Lost && !won && c.Cap >= 0 && c.Retries >= c.Cap && len(steps) > 0 {
		won, more, spent := prolong(c.Retries, p.cap, steps)
		r.won, r.variance, r.guessed = won, won*(1-won), true
		r.retries += more
		r.spent = r.spent.plus(spent, 1)
	}
	return r
}

// underBar returns how many retries an incident of a quality gate would have
// made under another bar, and whether one passed: the first attempt whose score
// reaches it does. Of one that passed and falls short of a higher bar nobody
// knows the scores that would have come: it counts as lost, guessed. So is one that
// passed without telling its score.
func (c *Chain) underBar(bar float64) (retries int, won, guessed bool) {
	for k, score := range c.Scores {
		if score >= bar {
			return min(k, c.Retries), true, false
		}
	}
	told := len(c.Scores) > c.Retries // up to the last attempt
	return c.Retries, c.Won && !told, c.Won && (told || bar > c.Bar)
}

// totals sum the differences between two results.
type totals struct {
	resolved, retries, wait, tokens, usd sample
	less, more                           float64 // that resolved may be, as the record leaves open
}

func (t *totals) add(a, b result) {
	t.less += a.less + b.more
	t.more += a.more + b.less
	t.resolved.add(a.won-b.won, a.variance+b.variance)
	t.retries.add(a.retries-b.retries, 0)
	t.wait.add(a.spent.Seconds-b.spent.Seconds, 0)
	t.tokens.add(a.spent.Tokens-b.spent.Tokens, 0)
	t.usd.add(a.spent.USD-b.spent.USD, 0)
}

func (t *totals) effect() Effect {
	resolved := t.resolved.interval(0)
	resolved[0], resolved[1] = round(resolved[0]-t.less), round(resolved[1]+t.more)
	return Effect{
		Resolved: round(t.resolved.sum), Retries: round(t.retries.sum), WaitS: round(t.wait.sum), Tokens: round(t.tokens.sum), CostUSD: round(t.usd.sum),
		Interval: EffectIntervals{
			Resolved: resolved, Retries: t.retries.interval(0), WaitS: t.wait.interval(0),
			Tokens: t.tokens.interval(0), CostUSD: t.usd.interval(0),
		},
	}
}
