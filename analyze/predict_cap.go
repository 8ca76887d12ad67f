package analyze

import "math"

// predictCap is how many of the incidents that are retried under a cap a retry
// resolves, from the same replay as its effect: what the record tells of an
// incident stays, and only those that their own cap cut off go on. One that gave
// up before its cap gives up again.
//
// What each incident adds to the error of that share is how far it is from the
// share itself, and how far it moves the hazards that the others go on with (the
// infinitesimal jackknife: Jaeckel 1972). The prediction rests on as many
// incidents as would bring the same standard error.
func predictCap(groups []group, inForce, cap int) *Prediction {
	n, won, all := 0, 0.0, 0
	further := make([]onward, len(groups))
	for i, g := range groups {
		all += len(g.of)
		for j := range g.of {
			c := &g.of[j]
			w, retried := c.under(cap, g.force(inForce), g.steps)
			if !retried {
				continue
			}
			n, won = n+1, won+w
			if c.cutBelow(cap, g.force(inForce)) {
				further[i].add(c.Retries)
			}
		}
	}
	if cap == 0 && all > 0 {
		return expect(0, all).ofSpan(all)
	}
	if n == 0 {
		return nil
	}
	share, variance := won/float64(n), 0.0
	for i := range groups {
		variance += groups[i].misses(share, cap, inForce, further[i])
	}
	rests := n
	if variance /= float64(n) * float64(n); variance > 0 {
		rests = max(1, min(n, int(math.Round(share*(1-share)/variance))))
	}
	return expect(share, rests).ofSpan(n)
}

// misses is what the incidents of a group add to the variance of all that are
// resolved; further are those that go on.
func (g *group) misses(share float64, cap, inForce int, further onward) (variance float64) {
	slopes := further.slopes(cap, g.steps)
	variance = unseen(slopes, g.steps)
	for i := range g.of {
		c := &g.of[i]
		off := moved(c, slopes, g.steps)
		if w, retried := c.under(cap, g.force(inForce), g.steps); retried {
			off += w - share
		}
		variance += off * off
	}
	return variance
}

// force is the cap of those that do not tell theirs; where nobody knows what a
// retry brings, none goes on.
func (g *group) force(inForce int) int {
	if len(g.steps) == 0 {
		return onlyStricter
	}
	return inForce
}

// under is how likely a retry resolves an incident under a cap, and whether one
// is made.
func (c *Chain) under(cap, inForce int, steps []step) (won float64, retried bool) {
	if c.cutBelow(cap, inForce) {
		won, _, _ = prolong(c.Retries, cap, steps)
		return won, true
	}
	if c.Won && c.Retries <= cap {
		won = 1
	}
	return won, c.Retries > 0
}

// moved is how far an incident moves what the others go on with, by the hazards
// of the retries that it made.
func moved(c *Chain, slopes [][sums]float64, steps []step) (off float64) {
	for k := range min(c.Retries, len(steps)) {
		won := 0.0
		if c.Won && k == c.Retries-1 {
			won = 1
		}
		off += slopes[k][ofResolved] / float64(steps[k].AtRisk) * (won - steps[k].Hazard)
	}
	return off
}

// unseen is the variance that the hazards have beyond what their own shares tell:
// where none or all passed these would tell of none.
func unseen(slopes [][sums]float64, steps []step) (variance float64) {
	for k := range steps {
		s := &steps[k]
		told := s.Hazard * (1 - s.Hazard) / float64(s.AtRisk)
		d := slopes[k][ofResolved]
		variance += d * d * max(0, s.doubt()*s.doubt()-told)
	}
	return variance
}
