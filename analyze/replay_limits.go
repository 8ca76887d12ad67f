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
	guessed                      bool
}

// Of calls and turns that a limit cut off nobody knows how they would have gone
// on. A late is what those tell that got as far as the last fifth before the
// longest limit: the chance to end by itself in such a fifth, and its bounds.
type late struct {
	chance, low, high float64
	fifth             float64
}

// lateOf looks at the ends that came near the longest limit.
func lateOf(ends []stretch) late {
	longest := 0.0
	for _, e := range ends {
		if e.cut {
			longest = max(longest, e.at)
		}
	}
	var seen tally
	for _, e := range ends {
		if (e.passed || e.cut) && e.at >= 0.8*longest && e.at <= longest {
			seen.n += e.n
			if e.passed {
				seen.won += e.n
			}
		}
	}
	if longest == 0 || seen.n == 0 {
		return late{}
	}
	low, high := wilson(seen.won, seen.n)
	return late{float64(seen.won) / float64(seen.n), low, high, longest / 5}
}

// within is the chance to end by itself within so much more, at a chance a fifth
// that stays as it was.
func (l late) within(chance, more float64) float64 {
	if l.fifth == 0 {
		return 0
	}
	return 1 - math.Pow(1-chance, more/l.fifth)
}

// doubt is the standard error of within that the chance brings, which is itself
// an estimate.
func (l late) doubt(more float64) float64 {
	return (l.within(l.high, more) - l.within(l.low, more)) / (2 * z95)
}

// under replays one call or turn. What goes further than a limit is cut off
// there, exactly; what a lower limit cut off would have gone on.
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
		out.won = l.within(l.chance, more)
		out.variance, out.guessed = out.won*(1-out.won), true
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
	l := lateOf(ends)
	doubt, guessed := 0.0, 0
	for _, e := range ends {
		x, y := e.under(limit, l), e.under(against, l)
		resolved.addTimes(e.n, x.won-y.won, x.variance+y.variance)
		used.addTimes(e.n, x.used-y.used, 0)
		if x != y {
			row.Incidents += e.n
		}
		if x.guessed || y.guessed {
			guessed += e.n
		}
		for _, to := range []*float64{limit, against} {
			if to != nil && e.cut && e.at < *to {
				row.Extrapolated, doubt = row.Extrapolated || x != y, max(doubt, l.doubt(*to-e.at))
			}
		}
	}
	shared := doubt * float64(guessed)
	resolved.variance += shared * shared
	for _, of := range []*sample{&resolved, &used} {
		of.addTimes(untold, 0, 0)
	}
	row.Limit, row.AgainstLimit = limit, against
	row.Effect.Resolved, row.Effect.Interval.Resolved = round(resolved.sum), resolved.interval()
	if row.Knob == callDepthName {
		row.Effect.Calls, row.Effect.Interval.Calls = round(used.sum), used.interval()
	} else {
		row.Effect.WaitS, row.Effect.Interval.WaitS = round(used.sum), used.interval()
	}
	return row, row.Incidents > 0
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
