package analyze

import "math"

// onlyStricter in the place of a cap in force: none goes on longer than recorded.
const onlyStricter = -1

// replay runs the recorded incidents under a cap instead of their own: exactly
// where it is stricter than what was recorded; where it is looser, the incidents
// that their own cap cut off win each further retry with its hazard, and beyond
// all that was made with the lower bound of the last one. inForce is the cap of
// those that do not tell theirs.
func replay(chains []Chain, inForce, cap int, steps []step) Effect {
	var b balance
	var further onward
	for i := range chains {
		c := &chains[i]
		if c.cutBelow(cap, inForce) && len(steps) > 0 {
			further.add(c.Retries)
			b.add(prolong(c.Retries, cap, steps))
		} else if c.Retries > cap {
			b.cut(c, cap, steps)
		}
	}
	b.all(len(chains))
	b.vary(further.varies(cap, steps))
	return b.effect()
}

// A balance sums what incidents come to under a change, against the record.
type balance struct{ resolved, retries, wait, tokens, usd sample }

// all tells how many incidents there are: of those that were not added nothing changes.
func (b *balance) all(n int) {
	for _, s := range b.samples() {
		s.n = n
	}
}

// samples are the sums in their order.
func (b *balance) samples() [sums]*sample {
	return [sums]*sample{ofResolved: &b.resolved, ofRetries: &b.retries, ofWait: &b.wait, ofTokens: &b.tokens, ofUSD: &b.usd}
}

// vary adds the variances of what is an expectation: by the chance of single
// incidents, and of what they share.
func (b *balance) vary(own, shared [sums]float64) {
	for i, s := range b.samples() {
		s.variance += own[i] + shared[i]
	}
}

// cut adds an incident that stops after so many retries, or ends before.
func (b *balance) cut(c *Chain, cap int, steps []step) {
	won, cut := 0.0, Price{}
	if c.Retries > cap && c.Won {
		won = -1
	}
	for k := cap; k < c.Retries; k++ {
		cut = cut.plus(c.spent(k, steps), -1)
	}
	b.add(won, float64(min(cap, c.Retries)-c.Retries), cut)
}

// add adds what an incident comes to.
func (b *balance) add(won, retries float64, spent Price) {
	b.resolved.add(won, 0)
	b.retries.add(retries, 0)
	b.wait.add(spent.Seconds, 0)
	b.tokens.add(spent.Tokens, 0)
	b.usd.add(spent.USD, 0)
}

// effect is the sum.
func (b *balance) effect() Effect {
	return Effect{
		Resolved: round(b.resolved.sum), Retries: round(b.retries.sum), WaitS: round(b.wait.sum), Tokens: round(b.tokens.sum), CostUSD: round(b.usd.sum),
		Interval: EffectIntervals{
			Resolved: b.resolved.interval(), Retries: b.retries.interval(), WaitS: b.wait.interval(),
			Tokens: b.tokens.interval(), CostUSD: b.usd.interval(),
		},
	}
}

// cutBelow reports whether its own cap cut the incident off before it made so many
// retries; inForce is the cap of incidents that do not tell theirs.
func (c *Chain) cutBelow(retries, inForce int) bool {
	own := c.Cap
	if own < 0 {
		own = inForce
	}
	return c.Lost && c.Retries < retries && c.Retries >= own && inForce != onlyStricter
}

// spent is what retry k+1 cost, or the mean of that retry where nobody told.
func (c *Chain) spent(k int, steps []step) Price {
	if c.Cost[k].Known || k >= len(steps) {
		return c.Cost[k]
	}
	return steps[k].mean() // its wait is unknown
}

// mean is the mean price of a retry.
func (s *step) mean() Price { return Price{Seconds: s.seconds, Tokens: s.tokens, USD: s.usd} }

// plus adds a share of q.
func (p Price) plus(q Price, share float64) Price {
	return Price{Seconds: p.Seconds + share*q.Seconds, Tokens: p.Tokens + share*q.Tokens, USD: p.USD + share*q.USD}
}

// prolong returns what an incident that lost all its retries may expect of
// those up to cap. Of what comes after one retry beyond all that were made nobody
// knows anything: it is made, and in vain.
func prolong(made, cap int, steps []step) (resolved, retries float64, spent Price) {
	alive := 1.0
	for k := made + 1; k <= min(cap, len(steps)+1); k++ {
		s := steps[min(k, len(steps))-1]
		hazard := s.Hazard
		if k > len(steps) {
			hazard = s.Low
		}
		retries += alive
		spent = spent.plus(s.mean(), alive)
		resolved += alive * hazard
		alive *= 1 - hazard
	}
	vain := alive * float64(inVain(made, cap, steps))
	retries += vain
	spent = spent.plus(steps[len(steps)-1].mean(), vain)
	return resolved, retries, spent
}

// inVain is how many retries up to cap come after one beyond all that were made.
func inVain(made, cap int, steps []step) int { return max(0, cap-max(made, len(steps)+1)) }

// A sample sums what single incidents gain, and how much that varies.
type sample struct {
	n                      int
	sum, squares, variance float64
}

// add adds what one incident gains, and the variance of that where it is an
// expectation and not a record.
func (s *sample) add(x, variance float64) { s.addTimes(1, x, variance) }

// addTimes adds what several gain alike.
func (s *sample) addTimes(n int, x, variance float64) {
	times := float64(n)
	s.n += n
	s.sum += times * x
	s.squares += times * x * x
	s.variance += times * variance
}

// plus adds a sample of others.
func (s *sample) plus(t *sample) {
	s.n += t.n
	s.sum += t.sum
	s.squares += t.squares
	s.variance += t.variance
}

// interval returns the 95 % interval of the sum over another span of as many
// incidents, by the central limit theorem. Both spans vary as their incidents
// differ, the one that was counted and the one to come; what is an expectation
// varies besides.
func (s *sample) interval() [2]float64 {
	if s.n == 0 {
		return [2]float64{}
	}
	half := z95 * math.Sqrt(2*s.between()+s.variance)
	return [2]float64{round(s.sum - half), round(s.sum + half)}
}

// between is the variance of the sum by which incidents are in the span.
func (s *sample) between() float64 { return max(0, s.squares-s.sum*s.sum/float64(s.n)) }

// round keeps two decimals: less than the data can tell.
func round(x float64) float64 {
	return math.Round(x*100)/100 + 0 // no negative zero
}
