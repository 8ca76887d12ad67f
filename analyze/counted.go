package analyze

import "slices"

// A counted is what the incidents of a cell come to when they are only counted:
// most questions ask no more, and counts are far fewer than incidents.
type counted struct {
	told   ends    // of sources that record retries that pass
	blind  ends    // of the others
	caps   carried // the caps that are known
	scored bool    // some have scores or a bar
	asked  bool    // some were asked to wait, see Chain.After
	beyond int     // that made more retries than their limit allows
	steps  []step  // hazards of those that sighted leaves; nil: see Cell.hazards
}

// An ends is how many incidents made so many retries, and how many of those the
// last one resolved; both by the number of retries.
type ends struct{ made, won []int }

func (e *ends) add(retries int, won bool) {
	if won {
		e.addTimes(retries, 1, 1)
	} else {
		e.addTimes(retries, 1, 0)
	}
}

// addTimes adds several incidents, and how many of them were won.
func (e *ends) addTimes(retries, made, won int) {
	for len(e.made) <= retries {
		e.made, e.won = append(e.made, 0), append(e.won, 0)
	}
	e.made[retries] += made
	e.won[retries] += won
}

// add counts a chain, of which only the outline is known.
func (n *counted) add(c *Chain) {
	if c.Blind {
		n.blind.add(c.Retries, c.Won)
	} else {
		n.told.add(c.Retries, c.Won)
	}
	if c.Cap >= 0 {
		n.caps.add(c.Cap, 1)
	}
	if c.goesBeyond() {
		n.beyond++
	}
	n.scored = n.scored || len(c.Scores) > 0 || c.Bar != 0
	n.asked = n.asked || c.After > 0
}

// count counts the incidents of the cell, once.
func (c *Cell) count() *counted {
	if c.counts == nil {
		c.counts = new(counted)
		if c.laid == nil && c.recorded != nil {
			c.recorded.count(c.counts)
		}
		for i := range c.laid {
			c.counts.add(&c.laid[i])
		}
	}
	return c.counts
}

// hazards are those of the incidents that sighted leaves, reckoned once: o is the
// same for all tuners.
func (c *Cell) hazards(o TuneOptions) []step {
	n := c.count()
	if n.steps == nil {
		n.steps = hazards(c.sighted(), o)
	}
	return slices.Clone(n.steps)
}

// incidents is how many were counted.
func (n *counted) incidents() int { return sum(n.told.made) + sum(n.blind.made) }

// retried is how many made a retry.
func (n *counted) retried() int { return n.told.retried().n + n.blind.retried().n }

// sees reports whether the blind count too, as sighted has it.
func (n *counted) sees() bool { return sum(n.blind.won) > 0 }

// sighted are the ends of those that sighted leaves.
func (n *counted) sighted() ends {
	if !n.sees() {
		return n.told
	}
	all := ends{append([]int(nil), n.told.made...), append([]int(nil), n.told.won...)}
	for retries, made := range n.blind.made {
		for len(all.made) <= retries {
			all.made, all.won = append(all.made, 0), append(all.won, 0)
		}
		all.made[retries] += made
		all.won[retries] += n.blind.won[retries]
	}
	return all
}

// longest is how many retries the longest made.
func (e ends) longest() int { return max(0, len(e.made)-1) }

// retried counts the incidents that made a retry, and those of them that one
// resolved.
func (e ends) retried() tally {
	return tally{won: sum(e.won) - first(e.won), n: sum(e.made) - first(e.made)}
}

// tallies counts how often each retry was made and won, up to the last one that
// somebody made.
func (e ends) tallies() []tally {
	out := make([]tally, e.longest())
	made := 0
	for k := len(out); k >= 1; k-- {
		made += e.made[k]
		out[k-1] = tally{e.won[k], made}
	}
	return out
}

func sum(of []int) (n int) {
	for _, v := range of {
		n += v
	}
	return n
}

func first(of []int) int {
	if len(of) == 0 {
		return 0
	}
	return of[0]
}
