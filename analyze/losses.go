package analyze

import (
	"math"
	"slices"
)

// A weighing is what waits are weighed by: the limits that incidents have, the
// longest first, when the last retry of each comes under the waits, and how many
// predictions were wrong.
type weighing struct {
	limits []int
	ends   []float64 // seconds
	wrong  int
}

// group is the limit that an incident counts to: one that few have is taken for the
// longest.
func (by *weighing) group(c *Chain) int { return max(0, slices.Index(by.limits, c.Cap)) }

// weighWaits replays the incidents of a cell under the waits. They are a change
// where they are for the worse with no more than the chance falseDiscoveries.
func (s *Suggestion) weighWaits(of []Chain, before *experience, o TuneOptions, by weighing) {
	var all totals
	var saved sample // by an incident, in seconds
	l := make([]losses, len(by.limits))
	var seen, most float64
	waits, record := plan{cap: -1, delays: s.Values}, plan{cap: -1}
	for i := range of {
		x, y := waits.run(&of[i], before), record.run(&of[i], before)
		all.add(x, y)
		if of[i].Retries > 0 {
			saved.add(y.spent.in(o)-x.spent.in(o), 0)
			seen, most = seen+x.won, most+x.won+x.more
			group := by.group(&of[i])
			l[group].add(&of[i], by.ends[group])
		}
	}
	s.Effect, s.Extrapolated = all.effect(), true
	s.Prediction = expect(seen/float64(saved.n), saved.n)
	kept, early := 0, 0
	for _, of := range l {
		kept, early = kept+of.kept, early+of.early.n
	}
	least, _ := wilson(kept, early)
	s.Prediction.Low = min(least, s.Prediction.Low)
	_, s.Prediction.High = wilson(int(math.Ceil(most)), saved.n)
	s.Prediction.ofSpan(saved.n)
	p := saved.dearer(l, o.Worth.Seconds(), trust(by.wrong))
	s.P = &p
	if p <= falseDiscoveries {
		s.Verdict = Lower
	}
}

// losses count what is known to recover by a time, of incidents that were retried.
type losses struct {
	early, late tally // resolved by a retry, of those that were retried first by then or later
	kept        int   // of the early, those that a retry resolved by then
}

func (l *losses) add(c *Chain, by float64) {
	_, last, timed := c.recovers()
	if !timed || c.when(0) > by {
		l.late.n++
		if c.Won {
			l.late.won++
		}
		return
	}
	l.early.n++
	if c.Won {
		l.early.won++
		if last <= by {
			l.kept++
		}
	}
}

// share is the share of incidents that are lost when none is retried any more
// behind the time, and its variance. Of the early those are lost that a later retry
// resolved, though some recovered in time. The late come to as much as the early:
// when an incident is retried first does not depend on when it recovers. Shares are
// believed as after Jeffreys' prior, so that none seen is not none.
func (l *losses) share() (mean, variance float64) {
	lost := jeffreys.after(l.early.won-l.kept, l.early.n)
	early, late := jeffreys.after(l.early.won, l.early.n), jeffreys.after(l.late.won, l.late.n)
	part := float64(l.late.n) / float64(l.early.n+l.late.n)
	return lost.mean() + part*(late.mean()-early.mean()), lost.variance() + part*part*(late.variance()+early.variance())
}

// dearer is the chance that what is saved on average is worth less than what is
// lost: both are normal about their means. Counts that are trusted less make both
// as wide as that many fewer would. Of incidents of several limits each loses what
// those of its limit do, as their last retries come at other times.
func (s *sample) dearer(l []losses, worth, trust float64) float64 {
	n := float64(s.n)
	lost, spread := 0.0, 0.0
	for i := range l {
		all := float64(l[i].early.n + l[i].late.n)
		if all == 0 {
			continue
		}
		if l[i].early.n == 0 {
			return 1 // nobody tried so early
		}
		mean, variance := l[i].share()
		lost, spread = lost+all/n*mean, spread+all*all/(n*n)*variance
	}
	spread = worth*worth*spread + max(0, s.squares-s.sum*s.sum/n)/(n*n)
	return math.Erfc((s.sum/n-worth*lost)/math.Sqrt(2*spread/trust)) / 2
}
