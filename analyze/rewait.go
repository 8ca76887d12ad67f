package analyze

// An experience is what the record of a cell tells of retries that nobody made.
type experience struct {
	steps     []step
	recovered *curve  // by elapsed time, of the recoveries; nil: none at a known time
	run       float64 // seconds that a retry itself takes
	cap       int     // of incidents that do not tell theirs; -1: unknown
}

// experienceOf looks at the incidents of a cell; of waits only where these change.
func experienceOf(c *Cell, waits bool) *experience {
	of := c.sighted()
	if !waits {
		return &experience{steps: hazards(of, TuneOptions{})}
	}
	w := waitedOf(of)
	p := experience{steps: hazards(of, TuneOptions{}), run: w.paused.run(), cap: c.cap()}
	if len(w.recovered) > 0 {
		at := recovery(w.recovered)
		p.recovered = &at
	}
	return &p
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
// recoveries tells. The first retry behind that time passes. One that comes
// within the gap may; one that would have to come after the last that its cap
// allows is not made, and the incident is lost.
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
			alive = 1 - before.recovered.within(x, at)
		}
	}
	r.won, r.variance = 1-alive, alive*(1-alive)
	if !sure {
		r.less = r.won
		if timed && at > x.low {
			r.more = alive
		}
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
