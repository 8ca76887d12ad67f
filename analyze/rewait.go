package analyze

import (
	"math"
	"slices"
	"sort"
)

// An experience is what the record of a cell tells of retries that nobody made.
type experience struct {
	steps     []step
	recovered curve     // by elapsed time, of all that were retried
	first     []float64 // when each was retried first, rising
	found     []float64 // when a retry resolved those that it did, rising
	run       float64   // seconds that a retry itself takes
	cap       int       // of incidents that do not tell theirs; -1: unknown
}

// experienceOf looks at the incidents of a cell; of waits only where these change.
func experienceOf(c *Cell, waits bool) *experience {
	of := c.sighted()
	if !waits {
		return &experience{steps: hazards(of, TuneOptions{})}
	}
	w := waitedOf(of, c.longestCap())
	t := sortOf(w.times)
	return w.experience(t.curve(t.settle()), hazards(of, TuneOptions{}), c.cap())
}

// experiencesOf is experienceOf by the limit of an incident: where those of several
// limits are not alike, each has the retries of its own.
func experiencesOf(c *Cell, inForce int, waits bool) func(cap int) *experience {
	all := experienceOf(c, waits)
	groups, _ := groupsOf(c.sighted(), inForce, c.count().caps.beside(inForce), TuneOptions{})
	if groups == nil {
		return func(int) *experience { return all }
	}
	own := make([]experience, len(groups))
	for i := range groups {
		own[i] = *all
		own[i].steps = groups[i].steps
	}
	return func(cap int) *experience { return &own[groupAt(groups, cap)] }
}

// experience is what w tells with the curve of its times.
func (w *waited) experience(at curve, steps []step, cap int) *experience {
	e := experience{steps: steps, recovered: at, first: slices.Clone(w.first), run: w.paused.run(), cap: cap}
	for _, x := range w.recovered {
		e.found = append(e.found, x.high)
	}
	slices.Sort(e.first)
	slices.Sort(e.found)
	return &e
}

// by counts what retries had resolved by a time, of what had been retried.
func (e *experience) by(t float64) tally {
	t = math.Nextafter(t, math.Inf(1))
	return tally{sort.SearchFloat64s(e.found, t), sort.SearchFloat64s(e.first, t)}
}

// within is the share of what came in an interval that had come by a time. Before a
// first retry that is at least what those tell that were retried sooner: when one
// is does not depend on when it recovers, and the curve is low where few were.
func (e *experience) within(x interval, t float64) float64 {
	share := e.recovered.within(x, t)
	if seen := e.by(t); x.low == 0 && t < x.high && seen.n > 0 {
		share = max(share, min(1, float64(seen.won)/float64(seen.n)/e.recovered.upTo(x.high)))
	}
	return share
}

// doubt is the 95 % error of a share that has come by a time before a first retry.
func (e *experience) doubt(share, t float64) float64 {
	n := float64(e.by(t).n)
	if n == 0 {
		return 1
	}
	d := beta{jeffreys.a + share*n, jeffreys.b + (1-share)*n}
	return z95 * math.Sqrt(d.variance())
}

// later is how much longer retry k+1 waits than it did; 0 where nobody told how
// long that was.
func (p plan) later(k int, spent *Price) float64 {
	if len(p.delays) == 0 || spent.Waited <= 0 {
		return 0
	}
	return p.delays[min(k, len(p.delays)-1)] - spent.Waited
}

// rewait replays an incident that recovered, with other waits. What counts is
// the time since the first failure: it recovered behind the last retry that
// failed, and by the one that passed, at a time that the curve of all
// recoveries tells. The first retry behind that time passes; where that would have
// to come after the last that its cap allows, the incident is lost. What comes of
// one whose last retry falls into the gap is open, but for what others tell of the
// time before the first retry that were retried sooner.
func (p plan) rewait(c *Chain, before *experience) (r result) {
	x, _, timed := c.recovers()
	most := max(c.Retries, before.cap)
	if c.Cap >= 0 {
		most = max(c.Retries, c.Cap)
	}
	if p.cap >= 0 {
		most = p.cap
	}
	alive, at, shift, sure := 1.0, 0.0, 0.0, false
	for k := 0; k < most && alive > 0; k++ {
		var spent Price
		if k < c.Retries {
			spent = c.spent(k, before.steps)
			later := p.later(k, &spent)
			spent.Seconds += later
			shift += later
			at = c.when(k) + shift
			r.guessed = r.guessed || later != 0
		} else {
			spent = before.steps[min(k, len(before.steps)-1)].mean()
			spent.Seconds = p.delays[min(k, len(p.delays)-1)] + before.run
			at += spent.Seconds
		}
		r.retries += alive
		r.spent = r.spent.plus(spent, alive)
		if sure = !timed && k == c.Retries-1 || timed && at >= x.high-1e-9; sure {
			alive = 0
		} else if timed {
			alive = 1 - before.within(x, at)
		}
	}
	r.won, r.variance = 1-alive, alive*(1-alive)
	if sure {
		return r
	}
	r.less = r.won
	if timed && at > x.low {
		r.more = alive
	}
	if doubt := before.doubt(r.won, at); timed && c.Retries == 1 {
		r.less, r.more = min(r.less, doubt), min(r.more, doubt)
	}
	return r
}

// when returns the seconds from the opening of an incident to its retry k+1.
func (c *Chain) when(k int) float64 {
	if len(c.At) > k {
		return c.At[k]
	}
	sum := 0.0
	for i := range k + 1 {
		sum += c.Cost[i].Seconds
	}
	return sum
}
