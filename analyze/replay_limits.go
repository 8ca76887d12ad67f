package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"

	"hansei/queries"
)

// A stretch is calls or turns that went as far and ended alike: seconds of calls,
// calls of turns.
type stretch struct {
	at     float64
	n      int
	passed bool // by itself
	cut    bool // by a limit; neither: it failed otherwise
}

// A limited is what one call, turn or hour comes to under a limit.
type limited struct {
	won, variance, retries, used float64 // used: seconds of calls and hours, calls of turns
	guess                        chance  // of won, where it is one
	guessed                      bool
}

// under replays one call or turn. What goes further than a limit is cut off
// there, exactly; what a lower limit cut off would have gone on, and counts as won
// no more often than is likely at least.
func (e stretch) under(limit *float64, l late) limited {
	out := limited{used: e.at}
	if e.passed {
		out.won = 1
	}
	switch {
	case limit == nil:
	case e.at > *limit:
		out = limited{used: *limit}
	case e.cut && e.at < *limit:
		more := *limit - e.at
		out.guess, out.guessed = l.within(more), true
		out.won = out.guess.least
		out.variance = out.guess.likely * (1 - out.guess.likely)
		out.used += more * (1 - out.won/2) // those that end do so halfway, about
	}
	return out
}

// untold is more calls than any span has: only those are read that a limit may
// change, and how many these are is chance, as of rare events among many.
const untold = 1 << 40

// replayEnds replays the calls of an operation, or the turns of an agent.
func replayEnds(row Replayed, ends []stretch, limit, against *float64) (Replayed, bool) {
	var resolved, used sample
	var open chance // of all that are a guess, against what counts as won
	l := lateOf(ends)
	for _, e := range ends {
		x, y := e.under(limit, l), e.under(against, l)
		resolved.addTimes(e.n, x.won-y.won, x.variance+y.variance)
		used.addTimes(e.n, x.used-y.used, 0)
		if x != y {
			row.Incidents += e.n
			row.Extrapolated = row.Extrapolated || x.guessed || y.guessed
			open.add(x.guess, y.guess, float64(e.n))
		}
	}
	for _, of := range []*sample{&resolved, &used} {
		of.addTimes(untold, 0, 0)
	}
	row.Limit, row.AgainstLimit = limit, against
	row.Effect.Resolved, row.Effect.Interval.Resolved = round(resolved.sum), resolved.about(open)
	if row.Knob == callDepthName {
		row.Effect.Calls, row.Effect.Interval.Calls = round(used.sum), used.interval()
	} else {
		row.Effect.WaitS, row.Effect.Interval.WaitS = round(used.sum), used.interval()
	}
	return row, row.Incidents > 0
}

// add adds what so many come to under one guess instead of another, above what
// counts as won of both.
func (c *chance) add(x, y chance, n float64) {
	c.likely += n * (x.likely - x.least - y.likely + y.least)
	c.most += n * (x.most - x.least)
	c.least -= n * (y.most - y.least)
}

// about is the interval of a sum that is a guess besides: from what is likely it
// reaches as far as chance and the bounds of the guess together.
func (s *sample) about(open chance) [2]float64 {
	i := s.interval()
	half := (i[1] - i[0]) / 2
	likely := s.sum + open.likely
	return [2]float64{
		round(likely - math.Hypot(half, open.likely-open.least)),
		round(likely + math.Hypot(half, open.most-open.likely)),
	}
}

// underBudget replays an hour: retries beyond a budget are left out, and were
// like those made in that hour.
func (h *TrafficHour) underBudget(percent *int) limited {
	out := limited{won: float64(h.Won), retries: float64(h.Retries), used: h.Seconds}
	if percent == nil || h.Retries == 0 {
		return out
	}
	cut := min(math.Ceil(h.beyond(int64(*percent))), float64(h.Retries))
	share, n := float64(h.Won)/float64(h.Retries), float64(h.Retries)
	out.won -= cut * share
	out.variance = cut * share * (1 - share) * (n - cut) / max(1, n-1) // hypergeometric: which of them are left out is open
	out.retries -= cut
	out.used -= cut * h.Seconds / n
	out.guessed = cut > 0 && cut < n && share > 0
	return out
}

// replayHours replays the hours of an agent.
func replayHours(row Replayed, hours []TrafficHour, budget, against *int) (Replayed, bool) {
	var resolved, retries, wait sample
	for i := range hours {
		x, y := hours[i].underBudget(budget), hours[i].underBudget(against)
		resolved.add(x.won-y.won, x.variance+y.variance)
		retries.add(x.retries-y.retries, 0)
		wait.add(x.used-y.used, 0)
		if x != y {
			row.Incidents++
			row.Extrapolated = row.Extrapolated || x.guessed || y.guessed
		}
	}
	row.Limit, row.AgainstLimit = fraction(budget), fraction(against)
	row.Effect = Effect{Resolved: round(resolved.sum), Retries: round(retries.sum), WaitS: round(wait.sum), Interval: EffectIntervals{
		Resolved: resolved.interval(), Retries: retries.interval(), WaitS: wait.interval(),
	}}
	return row, row.Incidents > 0
}

// fraction is a whole number that may be absent as any number.
func fraction(n *int) *float64 {
	if n == nil {
		return nil
	}
	v := float64(*n)
	return &v
}

// replayLimits replays what is no incident under the policies: calls under a
// timeout, turns under a call_depth, hours under a retry_budget. A timeout holds
// for an operation, the others for an agent: an entry for less sets none.
func replayLimits(ctx context.Context, db queries.DB, span queries.Span, policy, against *Policies) (out []Replayed, err error) {
	add := func(row Replayed, changed bool) {
		if changed {
			row.Cap, row.Against = -1, -1
			out = append(out, row)
		}
	}
	if least, ok := leastTimeout(policy, against); ok {
		calls, err := queries.CallEnds(ctx, db, span, int64(least*1000))
		if err != nil {
			return nil, fmt.Errorf("read how calls ended: %w", err)
		}
		for scope, ends := range endsOfCalls(calls) {
			add(replayEnds(Replayed{Scope: scope, Knob: timeoutName}, ends, policy.at(scope).Timeout, against.at(scope).Timeout))
		}
	}
	if set := Thresholds(policy, against); !slices.Contains(set, callDepthName) && !slices.Contains(set, retryBudgetName) {
		return out, nil
	}
	agents, err := readAgents(ctx, db, span)
	if err != nil {
		return nil, err
	}
	for _, c := range agents {
		x, y := policy.at(c.Scope), against.at(c.Scope)
		if c.Depths != nil {
			add(replayEnds(Replayed{Scope: c.Scope, Knob: callDepthName}, endsOfTurns(c.Depths), fraction(x.CallDepth), fraction(y.CallDepth)))
		} else {
			add(replayHours(Replayed{Scope: c.Scope, Knob: retryBudgetName}, c.Traffic, x.RetryBudget, y.RetryBudget))
		}
	}
	return out, nil
}

// at is Of for a policy that may be the record, which sets nothing.
func (p *Policies) at(s Scope) Policy {
	if p == nil {
		return Policy{}
	}
	return p.Of(s)
}

// leastTimeout returns the smallest timeout of policies, in seconds.
func leastTimeout(policies ...*Policies) (least float64, ok bool) {
	least = math.Inf(1)
	for _, p := range policies {
		if p == nil {
			continue
		}
		for _, e := range p.entries {
			if e.Timeout != nil {
				least, ok = min(least, *e.Timeout), true
			}
		}
	}
	return least, ok
}

// endsOfCalls yields the calls of each operation, which come in that order.
func endsOfCalls(of []queries.CallEnd) func(yield func(Scope, []stretch) bool) {
	return func(yield func(Scope, []stretch) bool) {
		for len(of) > 0 {
			scope := Scope{Agent: of[0].Agent, Operation: of[0].Operation}
			var ends []stretch
			for len(of) > 0 && of[0].Agent == scope.Agent && of[0].Operation == scope.Operation {
				ends = append(ends, stretch{float64(of[0].DurationMS) / 1000, int(of[0].Calls), of[0].Passed, of[0].Cut})
				of = of[1:]
			}
			if !yield(scope, ends) {
				return
			}
		}
	}
}

// endsOfTurns are the turns that told how deep they went.
func endsOfTurns(of []Duration) (ends []stretch) {
	for _, d := range of {
		if d.Seconds > 0 {
			ends = append(ends, stretch{d.Seconds, d.Calls, d.Passed, !d.Passed})
		}
	}
	return ends
}
