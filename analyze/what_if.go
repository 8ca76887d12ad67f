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
	// InOutages is what of it lies in outages; nil: nothing. [Tune] leaves those
	// incidents out of its fit and of its effects.
	InOutages *InOutages `json:"in_outages,omitempty"`
	// Extrapolated tells that some incidents were given up before the policy
	// would have, or wait otherwise: what they come to is then an expectation.
	Extrapolated bool `json:"extrapolated"`
	// Told is how many retries the record tells of, one beyond all that were made
	// included, where a policy allows more: those behind are made in vain. 0: it
	// allows no more.
	Told int `json:"told_retries,omitempty"`
	// Untried tells that a policy allows retries where no incident of the cell made
	// one: they are made in vain, at a price that nobody told.
	Untried bool `json:"untried,omitempty"`
}

// InOutages is what a change comes to in the incidents of outages.
type InOutages struct {
	Incidents int    `json:"incidents"`
	Effect    Effect `json:"effect"`
}

// Replay runs every recorded incident of span, of its filter too, under policy, against the record
// or, unless nil, against another policy, and what its other limits change. It
// is exact where a policy is stricter than what was recorded. Cells that nothing
// changes are left out. Rows with a Knob come first; the last row is the sum of
// those of incidents.
func Replay(ctx context.Context, db queries.DB, span queries.Span, policy, against *Policies) ([]Replayed, error) {
	only := span.Filter
	span.Filter = queries.Filter{} // outages show across all agents
	all, err := readCells(ctx, db, span, &oddities{})
	if err != nil {
		return nil, err
	}
	limits, err := replayLimits(ctx, db, span, policy, against)
	if err != nil {
		return nil, err
	}
	limits = slices.DeleteFunc(limits, func(r Replayed) bool { return !r.Scope.Concerns(only) })
	return append(limits, replayCells(all, only, policy, against)...), nil
}

// Concerns reports whether some of what a filter lets pass lies in the scope. Of
// providers it knows nothing.
func (s Scope) Concerns(f queries.Filter) bool {
	meet := func(want, of string) bool { return want == "" || of == "" || want == of }
	return meet(f.Agent, s.Agent) && meet(f.Operation, s.Operation) && meet(f.Category, s.Category)
}

func replayCells(all []Cell, only queries.Filter, policy, against *Policies) []Replayed {
	out := []Replayed{}
	var sum, sumInOutages totals
	total := Replayed{Cap: -1, Against: -1}
	findOutages(all) // which marks their incidents
	var on bench
	for _, c := range all {
		if !c.Scope.Concerns(only) {
			continue
		}
		c = c.recalled(&on)
		a, b := planOf(policy, c.Scope), planOf(against, c.Scope)
		row := Replayed{Scope: c.Scope, Incidents: len(c.chains()), Cap: a.cap, Against: b.cap}
		total.Incidents += row.Incidents
		inForce := c.inForce()
		quiet, hit := c.of(calm(c.chains())), c.of(struck(c.chains()))
		t, inOutages := replayPlans(&quiet, inForce, a, b), replayPlans(&hit, inForce, a, b)
		sumInOutages.plus(&inOutages)
		row.InOutages = inOutages.inOutages()
		t.plus(&inOutages)
		sum.plus(&t)
		row.Extrapolated, row.Told = t.guessed, t.told
		row.Untried = t.guessed && c.count().sighted().longest() == 0
		if row.Effect = t.effect(); row.Effect != (Effect{}) {
			out = append(out, row)
		}
	}
	slices.SortStableFunc(out, func(a, b Replayed) int { return cmp.Compare(a.Effect.WaitS, b.Effect.WaitS) })
	total.Effect, total.Extrapolated, total.InOutages = sum.effect(), sum.guessed, sumInOutages.inOutages()
	return append(out, total)
}

// replayPlans replays the incidents of a cell under a plan, against another one.
func replayPlans(c *Cell, inForce int, a, b plan) (t totals) {
	if len(c.chains()) == 0 {
		return t
	}
	of := experiencesOf(c, inForce, len(a.delays)+len(b.delays) > 0)
	var further onwards
	for i := range c.chains() {
		chain := c.laid[i]
		before := of(chain.Cap)
		if chain.Cap < 0 { // it does not tell its limit
			chain.Cap = inForce
		}
		x, y := a.run(&chain, before), b.run(&chain, before)
		t.add(x, y)
		if x.onward {
			further.at(before)[0].add(chain.Retries)
		}
		if y.onward {
			further.at(before)[1].add(chain.Retries)
		}
		if x.beyond+y.beyond > 0 {
			t.told = max(t.told, len(before.steps)+1)
		}
	}
	for i := range further {
		steps := further[i].before.steps
		t.vary(further[i].of[0].varies(a.cap, steps))
		t.vary(further[i].of[1].varies(b.cap, steps))
	}
	return t
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
	allows bool // retries up to cap; else it only forbids those beyond, as stop_after does
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
		out.cap, out.allows = *policy.MaxRetries, true
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
	onward                 bool    // it goes on beyond its own cap
	beyond                 float64 // retries of which no record tells
	spent                  Price
	guessed                bool
}

// run replays one incident.
func (p plan) run(c *Chain, before *experience) result {
	if c.Won && len(p.delays) > 0 && p.bar == nil {
		return p.rewait(c, before)
	}
	if n := p.untried(c, before); n > 0 {
		return result{retries: n, spent: Price{Seconds: n * defaultPrice}, guessed: true}
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
	if p.allows && p.cap > c.Retries && c.Lost && !won && c.Cap >= 0 && c.Retries >= c.Cap && len(steps) > 0 {
		won, more, spent := prolong(c.Retries, p.cap, steps)
		r.won, r.guessed, r.onward = won, true, true
		r.beyond = (1 - won) * float64(inVain(c.Retries, p.cap, steps))
		r.retries += more
		r.spent = r.spent.plus(spent, 1)
	}
	return r
}

// untried is how many retries a plan allows an incident that made none, as did no
// other of its cell; 0: it is not that.
func (p plan) untried(c *Chain, before *experience) float64 {
	if !p.allows || len(before.steps) > 0 || c.Retries > 0 || c.Cap > 0 || !c.Lost || p.bar != nil && len(c.Scores) > 0 {
		return 0
	}
	return float64(max(0, p.cap))
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
	balance
	less, more float64 // that resolved may be, as the record leaves open
	guessed    bool
	told       int // see Replayed
}

func (t *totals) add(a, b result) {
	t.guessed = t.guessed || a.guessed || b.guessed
	t.less += a.less + b.more
	t.more += a.more + b.less
	t.resolved.add(a.won-b.won, a.variance+b.variance)
	t.retries.add(a.retries-b.retries, 0)
	t.wait.add(a.spent.Seconds-b.spent.Seconds, 0)
	t.tokens.add(a.spent.Tokens-b.spent.Tokens, 0)
	t.usd.add(a.spent.USD-b.spent.USD, 0)
}

// plus adds the differences of other incidents.
func (t *totals) plus(u *totals) {
	t.less, t.more = t.less+u.less, t.more+u.more
	t.guessed, t.told = t.guessed || u.guessed, max(t.told, u.told)
	others := u.samples()
	for i, s := range t.samples() {
		s.plus(others[i])
	}
}

// inOutages tells the totals of incidents of outages; nil: they change nothing.
func (t *totals) inOutages() *InOutages {
	if e := t.effect(); e != (Effect{}) {
		return &InOutages{t.resolved.n, e}
	}
	return nil
}

func (t *totals) effect() Effect {
	e := t.balance.effect()
	resolved := &e.Interval.Resolved
	resolved[0], resolved[1] = round(resolved[0]-t.less), round(resolved[1]+t.more)
	return e
}
