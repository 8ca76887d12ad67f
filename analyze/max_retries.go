package analyze

import "math"

// maxRetries proposes how often a cell should be tried again.
//
// Retry k of a cell has at_risk incidents that made it and won that it
// resolved; incidents that the cap cut off, or that are still open, leave the
// count behind their last retry (right-censoring), so that won/at_risk
// estimates the discrete hazard (Kaplan and Meier 1958). The best cap follows
// from optimal stopping by backward induction over
//
//	v_k = max(0, h_k·V − c_k + (1−h_k)·v_{k+1})
//
// where V is the worth of a resolution and c_k the mean price of retry k. The
// induction is run at the hazards and at their Wilson bounds: a change is
// proposed only where the current cap lies outside what the bounds allow, and a
// raise only where the replay wins incidents with 95 % confidence, so chance
// alone seldom moves a cap. Retries that are too rare to judge one by one are
// judged together.
var maxRetries = Tuner{Knob: "max_retries", Suggest: suggestMaxRetries}

// minIncidents is the least number of first retries that says anything: with
// 20 the Wilson interval is at most ±0.21 wide, with 10 it is ±0.28.
const minIncidents = 20

// defaultRetries are the caps of the documents that the five systems came
// with, for events that do not carry the cap in force.
var defaultRetries = map[string]int{
	"agentskills":    3, // three retries, after 5, 15 and 30 s
	"monadic":        5, // five retries of network errors
	"recovery-agent": 2, // two retries after MALFORMED_FUNCTION_CALL
}

// defaultPrice is the price of a retry whose source told neither wait nor
// duration nor tokens: the middle one of AgentSkills' delays.
const defaultPrice = 15.0

// A step is what one retry achieved, and its mean price.
type step struct {
	Evidence
	price   float64 // seconds, tokens included
	seconds float64 // waited and run
}

func suggestMaxRetries(c Cell, o TuneOptions) (Suggestion, bool) {
	current := c.cap()
	s := Suggestion{Verdict: TooLittleData, N: len(c.Chains), Evidence: []Evidence{}}
	if current >= 0 {
		s.Current = number(current)
	}
	chains := sighted(c.Chains)
	if len(chains) == 0 {
		s.Reason = blindReason
		return s, c.retried() > 0
	}
	steps := hazards(chains, o)
	for _, step := range steps {
		s.Evidence = append(s.Evidence, step.Evidence)
	}
	known := trusted(steps)
	if len(known) == 0 {
		s.Reason = tooLittle(c.retried())
		return s, c.retried() > 0 // where nobody retries there is nothing to learn
	}
	if current < 0 {
		current = len(steps) // the largest number of retries seen
	}
	worth := o.Worth.Seconds()
	low := bestCap(known, worth, func(e Evidence) float64 { return e.Low })
	point := bestCap(known, worth, func(e Evidence) float64 { return e.Hazard })
	high := bestCap(known, worth, func(e Evidence) float64 { return e.High })

	suggested := current
	switch {
	case current > point && stopAfter(known, point, current, worth) < min(current, high):
		s.Verdict, suggested = Lower, stopAfter(known, point, current, worth)
	case high < len(known) && current > high:
		s.Verdict, suggested = Lower, high
	case current < low:
		s.Verdict, suggested = Raise, low
	case current == low && current == len(known) && worthOneMore(known, worth):
		s.Verdict, suggested, s.Extrapolated = Raise, current+1, true
	default:
		s.Verdict = Keep
	}
	if suggested != current {
		s.Effect = replay(chains, current, suggested, known)
	}
	if s.Verdict == Raise && s.Effect.Interval.Resolved[0] <= 0 { // a gain that chance may have made
		s.Verdict, suggested, s.Extrapolated, s.Effect = Keep, current, false, Effect{}
	}
	s.Suggested = number(suggested)
	s.Reason = s.reason(known, current, worth)
	return s, true
}

// sighted leaves out the chains of sources that do not record retries that
// pass, unless one of them did: then the source does in this cell.
func sighted(chains []Chain) []Chain {
	var out []Chain
	for _, c := range chains {
		if c.Blind && c.Won {
			return chains
		}
		if !c.Blind {
			out = append(out, c)
		}
	}
	return out
}

func number(n int) *int64 {
	v := int64(n)
	return &v
}

// cap returns the cap in force: the one that most chains carry, the larger of
// two, else that of the documents; -1 when nobody knows.
func (c *Cell) cap() int {
	carry := map[int]int{}
	most := -1
	for _, chain := range c.Chains {
		carry[chain.Cap]++
		n, m := carry[chain.Cap], carry[most]
		if chain.Cap >= 0 && (most < 0 || n > m || n == m && chain.Cap > most) {
			most = chain.Cap
		}
	}
	if n, ok := defaultRetries[c.Scope.Agent]; ok && most < 0 {
		return n
	}
	return most
}

// retried counts the incidents that made a retry.
func (c *Cell) retried() int {
	n := 0
	for _, chain := range c.Chains {
		if chain.Retries > 0 {
			n++
		}
	}
	return n
}

// hazards returns what each retry achieved, and its mean price. It ends at the
// first retry that nobody made.
func hazards(chains []Chain, o TuneOptions) []step {
	var steps []step
	for k := 1; ; k++ {
		s := step{Evidence: Evidence{Retry: k}}
		known := 0.0
		for _, c := range chains {
			if c.Retries < k {
				continue
			}
			s.AtRisk++
			if c.Won && c.Retries == k {
				s.Won++
			}
			if price := c.Cost[k-1]; price.Known {
				known++
				s.price += price.in(o)
				s.seconds += price.Seconds
			}
		}
		if s.AtRisk == 0 {
			return steps
		}
		s.Hazard = float64(s.Won) / float64(s.AtRisk)
		s.Low, s.High = wilson(s.Won, s.AtRisk)
		if known > 0 {
			s.price, s.seconds = s.price/known, s.seconds/known
		} else {
			s.price, s.seconds = defaultPrice, defaultPrice
		}
		steps = append(steps, s)
	}
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
	return max(0, middle-half), min(1, middle+half)
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

// trusted is the evidence up to the first retry that too few incidents made:
// no change may rest on a handful.
func trusted(steps []step) []step {
	for i, s := range steps {
		if s.AtRisk < minIncidents {
			return steps[:i]
		}
	}
	return steps
}

// stopAfter returns the least cap from point on behind which the retries do not
// pay together, even if they won as often as the upper bound of their pooled
// hazard says; current when there is none. Each alone may be too rare to tell;
// given that an incident came so far, its retries are independent draws of the
// discrete hazards, so their counts add. A first retry that wins more often
// than the pool allows is not of its kind, and is not cut off with it.
func stopAfter(steps []step, point, current int, worth float64) int {
	for k := point; k < min(current, len(steps)); k++ {
		tail := steps[k:min(current, len(steps))]
		if p := pool(tail); p.High*worth < p.price && tail[0].Hazard <= p.High {
			return k
		}
	}
	return current
}

// pool is several retries taken together, under the number of the first.
func pool(steps []step) step {
	p := step{Evidence: Evidence{Retry: steps[0].Retry}}
	for _, s := range steps {
		p.Won += s.Won
		p.AtRisk += s.AtRisk
		p.price += s.price * float64(s.AtRisk)
	}
	p.price /= float64(p.AtRisk)
	p.Hazard = float64(p.Won) / float64(p.AtRisk)
	p.Low, p.High = wilson(p.Won, p.AtRisk)
	return p
}

// worthOneMore reports whether one retry beyond all that were made would pay
// if it won no more often than the lower bound of the last one.
func worthOneMore(steps []step, worth float64) bool {
	last := steps[len(steps)-1]
	return last.Won < last.AtRisk && last.Low*worth > last.price
}
