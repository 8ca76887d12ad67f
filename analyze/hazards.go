package analyze

import (
	"math"
	"slices"
)

// defaultPrice is the price of a retry whose source told neither wait nor
// duration nor tokens: the middle one of AgentSkills' delays.
const defaultPrice = 15.0

// A step is what one retry achieved, and its mean price.
type step struct {
	Evidence
	prior   beta    // what the cells around tell of it
	price   float64 // seconds, tokens included
	seconds float64 // waited and run
	tokens  float64
	usd     float64
	wrong   int // predictions about it that did not come true
}

// trust is what counts weigh after so many wrong predictions: half for each (a
// power prior, Ibrahim and Chen 2000, with the discount fixed), an eighth at least.
func trust(wrong int) float64 { return math.Pow(0.5, float64(min(wrong, 3))) }

// posterior is what is believed of the hazard.
func (s *step) posterior() beta { return s.weighed(s.prior) }

func (s *step) weighed(prior beta) beta {
	w := trust(s.wrong)
	return beta{prior.a + w*float64(s.Won), prior.b + w*float64(s.AtRisk-s.Won)}
}

// believe fills in the priors and posteriors. A retry of which the cells around
// tell nothing is expected to win, at first, as often as the one before it, and
// a first retry as often as not.
func believe(steps []step, pool []Pooled) {
	before := jeffreys.mean()
	for k := range steps {
		s := &steps[k]
		s.prior = beta{before * jeffreys.strength(), (1 - before) * jeffreys.strength()}
		if k < len(pool) && pool[k].From != noPool.From {
			s.prior = pool[k].atMost(float64(s.AtRisk))
		}
		d := s.posterior()
		s.Believed = d.mean()
		before = s.Believed
		if k >= len(pool) || pool[k].From == noPool.From {
			s.prior = jeffreys // bounds and tests lean on no guess
			d = s.weighed(jeffreys)
		}
		s.BelievedLow, s.BelievedHigh = d.bounds()
		if s.Won == 0 { // nothing rules out never (the modified interval of Brown, Cai and DasGupta 2001)
			s.BelievedLow = 0
		}
	}
}

// sighted leaves out the chains of sources that do not record retries that
// pass, unless one of them did: then the source does in this cell.
func (c *Cell) sighted() []Chain {
	all := c.chains()
	if n := c.count(); len(n.blind.made) == 0 || n.sees() { // mostly: nothing is copied
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c Chain) bool { return c.Blind })
}

// hazards returns what each retry achieved, and its mean price, up to the last
// one that somebody made.
func hazards(chains []Chain, o TuneOptions) []step {
	var steps []step
	var known []float64 // prices, by retry
	for i := range chains {
		c := &chains[i]
		for len(steps) < c.Retries {
			steps = append(steps, step{Evidence: Evidence{Retry: len(steps) + 1}})
			known = append(known, 0)
		}
		for k := range c.Retries {
			steps[k].AtRisk++
		}
		if c.Won && c.Retries > 0 {
			steps[c.Retries-1].Won++
		}
		for k := range c.Cost {
			s, price := &steps[k], &c.Cost[k]
			if price.Known {
				known[k]++
				s.price += price.in(o)
				s.seconds += price.Seconds
				s.tokens += price.Tokens
				s.usd += price.USD
			}
		}
	}
	for k := range steps {
		s, known := &steps[k], known[k]
		s.Hazard = float64(s.Won) / float64(s.AtRisk)
		s.Low, s.High = wilson(s.Won, s.AtRisk)
		if known > 0 {
			s.price, s.seconds, s.tokens, s.usd = s.price/known, s.seconds/known, s.tokens/known, s.usd/known
		} else {
			s.price, s.seconds = defaultPrice, defaultPrice
		}
	}
	return steps
}

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// wilson returns the 95 % bounds of the proportion won/n (Wilson 1927).
func wilson(won, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	p, m := float64(won)/float64(n), float64(n)
	middle := (p + z95*z95/(2*m)) / (1 + z95*z95/m)
	half := z95 / (1 + z95*z95/m) * math.Sqrt(p*(1-p)/m+z95*z95/(4*m*m))
	low, high = max(0, middle-half), min(1, middle+half)
	if won == 0 { // where both are equal, the computer's last digit is not
		low = 0
	}
	if won == n {
		high = 1
	}
	return low, high
}

// bestCap returns the number of retries after which optimal stopping stops.
func bestCap(steps []step, worth float64, hazard func(Evidence) float64) int {
	next, best := 0.0, len(steps)
	for k := len(steps); k >= 1; k-- {
		h := hazard(steps[k-1].Evidence)
		next = h*worth - steps[k-1].price + (1-h)*next
		if next <= 0 {
			next, best = 0, k-1
		}
	}
	return best
}

// pool is several retries taken together, under the number of the first.
func pool(steps []step) step {
	p := step{Evidence: Evidence{Retry: steps[0].Retry}, wrong: steps[0].wrong}
	mean, strength := 0.0, 0.0
	for _, s := range steps {
		n := float64(s.AtRisk)
		p.Won += s.Won
		p.AtRisk += s.AtRisk
		p.price += s.price * n
		p.seconds += s.seconds * n
		mean += s.prior.mean() * n
		strength += s.prior.strength() * n
	}
	n := float64(p.AtRisk)
	p.price, p.seconds = p.price/n, p.seconds/n
	mean, strength = mean/n, strength/n // the priors of neighbouring retries tell the same, so their strengths do not add
	p.prior = beta{mean * strength, (1 - mean) * strength}
	p.Hazard = float64(p.Won) / n
	p.Low, p.High = wilson(p.Won, p.AtRisk)
	return p
}
