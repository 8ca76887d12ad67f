package analyze

import (
	"fmt"
	"math"
	"slices"
)

// A group is the incidents of a cell that had one limit, where those of several
// limits are not alike: where the retries that both made did not win alike. What
// later retries brought under the larger limit then tells nothing of the others
// (their being cut off is not the random censoring that hazards ask for), and each
// group is judged by its own record.
type group struct {
	cap   int
	of    []Chain
	steps []step
}

// A rift is the retry by which two limits differ most, beyond chance.
type rift struct {
	retry  int
	caps   [2]int
	counts [2]tally
}

// groupsOf splits the incidents by their limits, that in force first, when they are
// not alike; nil: they are, as far as the counts tell, or there is one limit.
func groupsOf(of []Chain, inForce int, others carried, o TuneOptions) ([]group, rift) {
	if len(others) == 0 {
		return nil, rift{}
	}
	groups := []group{{cap: inForce}}
	for _, other := range others {
		groups = append(groups, group{cap: other.cap})
	}
	for i := range of {
		g := &groups[groupAt(groups, of[i].Cap)]
		g.of = append(g.of, of[i])
	}
	for i := range groups {
		groups[i].steps = hazards(groups[i].of, o)
	}
	most, apart := riftOf(groups)
	if !apart {
		return nil, rift{}
	}
	return groups, most
}

// groupAt is the group of an incident by its limit; one whose limit is rare or not
// known counts to that in force.
func groupAt(groups []group, cap int) int {
	return max(0, slices.IndexFunc(groups, func(g group) bool { return g.cap == cap }))
}

// riftOf compares the hazards of the retries that each two groups both made, by the
// score test of two proportions (Pearson 1900), which all together may find a
// difference in one cell of twenty where there is none (Bonferroni).
func riftOf(groups []group) (most rift, apart bool) {
	least, tests := 1.0, 0
	for i := range groups {
		for j := range i {
			a, b := groups[j].steps, groups[i].steps
			for k := range min(len(a), len(b)) {
				x, y := tally{a[k].Won, a[k].AtRisk}, tally{b[k].Won, b[k].AtRisk}
				if min(x.n, y.n) < minOwn {
					break
				}
				tests++
				if p := alike(x, y); p < least {
					least, most = p, rift{k + 1, [2]int{groups[j].cap, groups[i].cap}, [2]tally{x, y}}
				}
			}
		}
	}
	return most, tests > 0 && least*float64(tests) <= falseDiscoveries
}

// alike is the chance that two counts differ so much when both win as often.
func alike(a, b tally) float64 {
	n, m := float64(a.n), float64(b.n)
	both := float64(a.won+b.won) / (n + m)
	spread := math.Sqrt(both * (1 - both) * (1/n + 1/m))
	if spread == 0 {
		return 1
	}
	return math.Erfc(math.Abs(float64(a.won)/n-float64(b.won)/m) / spread / math.Sqrt2)
}

// limitsOf are the groups of a cell that has several limits, where those are alike
// with one record for all; nil: it has one limit.
func limitsOf(groups []group, inForce int, others carried, steps []step) []group {
	if groups != nil || len(others) == 0 {
		return groups
	}
	groups = []group{{cap: inForce, steps: steps}}
	for _, other := range others {
		groups = append(groups, group{cap: other.cap, steps: steps})
	}
	return groups
}

// decideAll is decide where the incidents have several limits, that in force first:
// a policy has one for all of them. A change is good where it is for each limit, so
// that the largest chance holds (intersection-union test: Berger 1982); the limits
// are tried from the best for all together towards that in force, and last that in
// force itself, where some have less.
func decideAll(groups []group, c *Cell, worth float64) move {
	inForce := groups[0].cap
	best, most := bestForAll(groups, worth)
	if best == inForce && best == most {
		best++ // nobody made it, see oneMore
	}
	verdict, next := Lower, 1
	if best > inForce {
		verdict, next = Raise, -1
	}
	found, spend := move{Keep, inForce, 1}, 1.0
	for to := best; to != inForce && found.p > falseDiscoveries; to, spend = to+next, spend*2 {
		if verdict == Lower && to >= len(groups[0].steps) {
			break // those of the limit in force never went so far
		}
		if p := min(1, spend*worseForAll(groups, to, c, worth)); p < found.p {
			found = move{verdict, to, p}
		}
	}
	if found.p > falseDiscoveries && slices.ContainsFunc(groups, func(g group) bool { return g.cap < inForce }) {
		if p := spend * worseForAll(groups, inForce, c, worth); p <= falseDiscoveries {
			return move{Raise, inForce, p}
		}
	}
	if found.verdict == Raise && found.p > falseDiscoveries {
		return move{Keep, inForce, 1}
	}
	return found
}

// bestForAll is the limit that is best for all groups together, at what is believed
// of their hazards, as bestCap is for one; and the most retries that anybody made.
// What a group never tried is worth nothing to it.
func bestForAll(groups []group, worth float64) (best, most int) {
	var gains []float64 // of each retry
	for _, g := range groups {
		left := 0.0 // of its incidents, before each retry
		for k, s := range g.steps {
			if k == len(gains) {
				gains = append(gains, 0)
			}
			if k == 0 {
				left = float64(s.AtRisk)
			}
			gains[k] += left * (s.Believed*worth - s.price)
			left *= 1 - s.Believed
		}
	}
	sum, highest := 0.0, 0.0
	for k, gain := range gains {
		if sum += gain; sum > highest {
			best, highest = k+1, sum
		}
	}
	return best, len(gains)
}

// worseForAll is the largest chance that a limit is for the worse for a group; each
// goes one retry beyond its own record at most.
func worseForAll(groups []group, to int, c *Cell, worth float64) (p float64) {
	for _, g := range groups {
		made := len(g.steps)
		switch reach := min(g.cap, made); {
		case to < reach:
			p = max(p, worse(g.steps, to, reach, worth))
		case to <= g.cap: // nothing changes
		case to > made+1 || made == 0:
			return 1 // nobody knows
		default:
			if to > made {
				p = max(p, oneMore(g.steps, c, worth))
			}
			if end := min(to, made); reach < end {
				more := pool(g.steps[reach:end])
				p = max(p, 1-more.above(worth))
			}
		}
	}
	return p
}

// replayGroups is replay where each limit has a record of its own.
func replayGroups(groups []group, inForce, cap int) (e Effect) {
	for _, g := range groups {
		e = e.plus(replay(g.of, g.force(inForce), cap, g.steps))
	}
	return e
}

// plus adds the effect on other incidents; the errors of both are independent, so
// that their squares add.
func (e Effect) plus(f Effect) Effect {
	both := func(x, y float64, a, b [2]float64) (float64, [2]float64) {
		sum := x + y
		return round(sum), [2]float64{round(sum - math.Hypot(x-a[0], y-b[0])), round(sum + math.Hypot(a[1]-x, b[1]-y))}
	}
	var out Effect
	in, of, to := &e.Interval, &f.Interval, &out.Interval
	out.Resolved, to.Resolved = both(e.Resolved, f.Resolved, in.Resolved, of.Resolved)
	out.Retries, to.Retries = both(e.Retries, f.Retries, in.Retries, of.Retries)
	out.WaitS, to.WaitS = both(e.WaitS, f.WaitS, in.WaitS, of.WaitS)
	out.Tokens, to.Tokens = both(e.Tokens, f.Tokens, in.Tokens, of.Tokens)
	out.CostUSD, to.CostUSD = both(e.CostUSD, f.CostUSD, in.CostUSD, of.CostUSD)
	return out
}

// tellGroups tells that the incidents of several limits are of different groups.
func (s *Suggestion) tellGroups(r rift) {
	a, b := r.counts[0], r.counts[1]
	s.Reason.EN += fmt.Sprintf(" Incidents of different limits are not alike: retry %d resolved %d of %d under a limit of %s, and %d of %d under one of %s. So what one limit shows is not lent to the other, each counts by itself, and a change must be better for both. To give each its own limit, publish them as different operations.",
		r.retry, a.won, a.n, retries(r.caps[0]).EN, b.won, b.n, retries(r.caps[1]).EN)
	s.Reason.JA += fmt.Sprintf("上限の異なるインシデントは同質ではありません：リトライ%d回目で解決したのは、上限%d回では%d件中%d件、上限%d回では%d件中%d件です。そのため一方の実績を他方には当てはめず、それぞれ別に判断し、両方にとって良い変更だけを提案します。別々の上限を設けるには、別の操作名で送ってください。",
		r.retry, r.caps[0], a.n, a.won, r.caps[1], b.n, b.won)
}
