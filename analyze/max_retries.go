package analyze

import (
	"fmt"
	"math"
)

// maxRetries proposes how often a cell should be tried again.
//
// Retry k of a cell has at_risk incidents that made it and won that it
// resolved; incidents that the cap cut off, or that are still open, leave the
// count behind their last retry (right-censoring), so that won/at_risk
// estimates the discrete hazard (Kaplan and Meier 1958). What is believed of it
// is its Beta posterior, with the cells around as the prior. The best cap
// follows from optimal stopping by backward induction (DeGroot, "Optimal
// Statistical Decisions", chapter 12) over
//
//	v_k = max(0, h_k·V − c_k + (1−h_k)·v_{k+1})
//
// where V is the worth of a resolution and c_k the mean price of retry k. At
// the posterior means that is the best cap in expectation, since the value of a
// cap is linear in each hazard and the posteriors are independent. A change is
// proposed together with the chance that it is for the worse (see worse), which
// false discovery control over all cells goes by.
var maxRetries = Tuner{Knob: maxRetriesKnob, Suggest: suggestMaxRetries, Beside: true, Observe: observeRetries}

const maxRetriesKnob = "max_retries"

// minIncidents is the least number of first retries that says anything: with
// 20 the Wilson interval is at most ±0.21 wide, with 10 it is ±0.28. What the
// cells around lend counts as much as the cell's own, no more, so that at least
// half of every verdict is the cell's own voice.
const minIncidents = 20

// doubtful is the chance above which the first retry to be cut off speaks for
// itself against that, whatever the later ones show.
const doubtful = 0.2

// minOwn is the least number of its own first retries with which a cell may be
// changed before it has minIncidents, when the cells around and its own counts
// together rule out that the change is for the worse (see vouched).
const minOwn = 5

// defaultRetries are the caps of the documents that the five systems came
// with, for events that do not carry the cap in force.
var defaultRetries = map[string]int{
	"agentskills":    3, // three retries, after 5, 15 and 30 s
	"monadic":        5, // five retries of network errors
	"recovery-agent": 2, // two retries after MALFORMED_FUNCTION_CALL
}

func suggestMaxRetries(c Cell, o TuneOptions) (Suggestion, bool) {
	s := Suggestion{Verdict: TooLittleData, N: len(c.chains()), Evidence: []Evidence{}, Current: c.limit()}
	chains := c.sighted()
	if len(chains) == 0 {
		s.Reason = blindReason
		return s, c.count().retried() > 0
	}
	c, hasty := c.patient(o.Worth.Seconds())
	if hasty.rules() {
		s.tooSoon(&hasty)
		return s, true
	}
	chains = c.sighted()
	inForce := c.inForce()
	others := c.count().caps.beside(inForce)
	groups, rift := groupsOf(chains, inForce, others, o)
	steps := c.hazards(o)
	if groups != nil {
		steps = groups[0].steps
	}
	if len(steps) == 0 {
		return s, s.borrow(&c, chains, o)
	}
	worth := o.Worth.Seconds()
	c.believeAll(append(groups, group{steps: steps})...)
	m, from := decide(steps, &c, inForce, worth), inForce
	if limits := limitsOf(groups, inForce, others, steps); limits != nil {
		m = decideAll(limits, &c, worth)
		if m.verdict == Raise && m.to == inForce { // for those that have less
			from, steps, s.Current = limits[1].cap, limits[1].steps, number(limits[1].cap)
		}
	}
	s.show(&c, steps, worth)
	if s.Needed = needed(steps, c.Pool); s.Needed > 0 && !(m.tried(steps) && vouched(steps[0].AtRisk, c.Pool, 0)) {
		s.Reason = tooLittle(c.count().retried(), s.Needed)
		return s, c.count().retried() > 0 // where nobody retries there is nothing to learn
	}
	s.Needed = 0
	s.Verdict, s.Extrapolated, s.P = m.verdict, m.verdict == Raise && m.to > len(steps), &m.p
	s.Suggested = number(m.to)
	s.Reason = s.reason(steps, from, worth)
	record := groups
	if groups == nil {
		record = []group{{of: chains, steps: steps}}
	} else {
		s.N = len(groups[groupAt(groups, from)].of)
		s.tellGroups(rift)
	}
	s.Prediction = predictCap(record, inForce, m.to)
	effect := replayGroups(record, inForce, m.to)
	if m.to != from {
		s.Effect = effect
	}
	if len(others) > 0 {
		s.tellMix(append(c.count().caps.of(inForce), others...), effect)
	}
	s.tellPast(&c, max(inForce, len(steps))+1)
	s.tellPatient(&hasty)
	return s, true
}

// show fills in the evidence, and what the cells around tell of the first retry.
func (s *Suggestion) show(c *Cell, steps []step, worth float64) {
	for k := range steps {
		steps[k].Pays = steps[k].price / worth
		s.Evidence = append(s.Evidence, steps[k].Evidence)
	}
	if len(steps) > 0 {
		s.lean(c.Pool, 0)
	}
}

// believeAll fills in what is believed of the steps of each group.
func (c *Cell) believeAll(groups ...group) {
	for _, of := range groups {
		for k := range of.steps {
			of.steps[k].wrong = c.Wrong[maxRetriesKnob]
		}
		believe(of.steps, c.Pool)
	}
}

// observeRetries counts the incidents that were retried, and those of them that
// a retry resolved; where none is to be retried, all incidents.
func observeRetries(s *Suggestion, c Cell) tally { return resolvedByRetry(c, *s.Suggested == 0) }

func resolvedByRetry(c Cell, all bool) (seen tally) {
	for _, chain := range c.chains() {
		if chain.Retries > 0 || all {
			seen.n++
			if chain.Won && chain.Retries > 0 {
				seen.won++
			}
		}
	}
	return seen
}

// A move is the change of a cap that the evidence asks for.
type move struct {
	verdict Verdict
	to      int
	p       float64 // chance that it is for the worse; 1: none is asked for
}

// tried reports whether a move is established by what was tried, and goes not beyond it.
func (m move) tried(steps []step) bool { return m.p <= falseDiscoveries && m.to <= len(steps) }

// decide compares the cap in force with the best one. Lower is tried from the
// best cap upwards, raise from it downwards; each further try must be twice as
// sure as the one before, so that all together are wrong at most twice as often
// as one (weighted Bonferroni: Rosenthal and Rubin 1983).
func decide(steps []step, c *Cell, current int, worth float64) move {
	if len(steps) == 0 {
		return move{Keep, current, 1}
	}
	best := bestCap(steps, worth, func(e Evidence) float64 { return e.Believed })
	stay := move{Keep, current, 1}
	reach := min(current, len(steps))
	if best < reach {
		found := stay
		for to, spend := best, 1.0; to < reach; to, spend = to+1, spend*2 {
			p := min(1, spend*worse(steps, to, reach, worth))
			if p < found.p {
				found = move{Lower, to, p}
			}
			if p <= falseDiscoveries {
				break
			}
		}
		return found
	}
	if best > current {
		for to, spend := best, 1.0; to > current; to, spend = to-1, spend*2 {
			more := pool(steps[current:to])
			if p := spend * (1 - more.above(worth)); p <= falseDiscoveries {
				return move{Raise, to, p}
			}
		}
		return stay
	}
	if current == len(steps) && best == current {
		if p := oneMore(steps, c, worth); p <= falseDiscoveries {
			return move{Raise, current + 1, p}
		}
	}
	return stay
}

// worse is the chance that stopping after to retries is worth less than going
// on to reach. The retries between are worth together what their hazard,
// weighted by how many incidents come so far, is above their price; that is the
// hazard of their pooled counts, so each may be too rare to judge alone. The later
// ones do not vouch for the first, since a retry mostly wins less often than the one
// before: it is not cut off with them while its own counts say that it pays with a
// chance above doubtful, or above falseDiscoveries where it wins more often than the
// pool allows. One that wins often, and yet too seldom for its price, is.
func worse(steps []step, to, reach int, worth float64) float64 {
	tail := pool(steps[to:reach])
	alone := steps[to].above(worth)
	if steps[to].Hazard > tail.High && alone > falseDiscoveries || alone > doubtful {
		return 1
	}
	return tail.above(worth)
}

// above is the chance that a step's hazard is above what its price asks for.
func (s *step) above(worth float64) float64 {
	return 1 - s.posterior().below(s.price/worth)
}

// oneMore is the chance that one retry beyond all that were made does not pay.
// Nobody made it. It is taken to win as much less often than the last one as
// that wins less often than the one before, and to cost as much more. Of a cell
// that made one retry only nobody knows how fast the chance falls: each share of
// it is then as likely to be left as another. Where the cell itself went so far
// before, that must not speak against it; what the cells around tell that went so
// far is heard as far as they agree, see heard.
func oneMore(steps []step, c *Cell, worth float64) float64 {
	n := len(steps)
	last := steps[n-1]
	if last.Won == last.AtRisk {
		return 1 // nobody was left
	}
	pays := last.price / worth
	var p float64
	if n > 1 {
		if before := steps[n-2].price; before > 0 {
			pays *= max(1, last.price/before)
		}
		p = falling(steps[n-2].posterior(), last.posterior(), pays)
	} else {
		p = c.secondBelow(last.posterior(), pays)
	}
	if around, ok := told(c.Pool, n); ok {
		p = around.heard(p, pays)
	}
	if past, ok := c.past(n + 1); ok {
		p = max(p, past.below(pays))
	}
	return p
}

// secondBelow is the chance that a second retry, which nobody made, wins less often
// than pays, from what is believed of the first. Which share of its chance is left
// the cells around tell that made both, each as much as the guess that any share is
// as likely: the prediction of a Dirichlet process (Ferguson 1973) of weight one
// with the even law as its base.
func (c *Cell) secondBelow(first beta, pays float64) float64 {
	sum := first.average(func(h float64) float64 { return min(1, pays/h) })
	for _, share := range c.Shares {
		sum += first.below(pays / share)
	}
	return sum / float64(1+len(c.Shares))
}

// sharesLeft are, by category, the shares of the chance of a first retry that are
// left to the second, of the cells whose counts tell both.
func sharesLeft(all []Cell, counts [][]tally) map[string][]float64 {
	out := map[string][]float64{}
	for i, of := range counts {
		if len(of) > 1 && of[0].won >= minOwn && of[1].n >= minOwn {
			first, second := jeffreys.after(of[0].won, of[0].n), jeffreys.after(of[1].won, of[1].n)
			category := all[i].Scope.Category
			out[category] = append(out[category], min(1, second.mean()/first.mean()))
		}
	}
	return out
}

// heard is the chance p that a hazard is below what pays once the cells around
// are heard, by Bayes' theorem in odds: theirs against those of whoever knows
// nothing. Cells that have nothing in common tell next to nothing, cells that
// agree tell much, and neither outvotes a record that is long enough.
func (a Pooled) heard(p, pays float64) float64 {
	told, nothing := a.prior().below(pays), jeffreys.below(pays)
	not, does := p*told*(1-nothing), (1-p)*(1-told)*nothing
	if not+does <= 0 {
		return p
	}
	return not / (not + does)
}

// past is what is believed of a retry from what it achieved before the incidents
// that decide, which counts half, since the causes may have changed (a power
// prior, as in trust).
func (c *Cell) past(retry int) (beta, bool) {
	if retry > len(c.Past) || c.Past[retry-1].AtRisk < minOwn {
		return beta{}, false
	}
	e := &c.Past[retry-1]
	w := trust(1)
	return beta{jeffreys.a + w*float64(e.Won), jeffreys.b + w*float64(e.AtRisk-e.Won)}, true
}

// tellPast tells what the retry after those that were made achieved before.
func (s *Suggestion) tellPast(c *Cell, retry int) {
	if _, ok := c.past(retry); !ok || s.Verdict == Lower {
		return
	}
	e := &c.Past[retry-1]
	s.Reason.EN += fmt.Sprintf(" When retry %d was still made, it resolved %d of %d.", retry, e.Won, e.AtRisk)
	s.Reason.JA += fmt.Sprintf("以前%d回目のリトライを行っていた時は、%d件中%d件が解決しました。", retry, e.AtRisk, e.Won)
}

// falling is the chance that the hazard after two falls below what pays, when it
// falls as from the first to the second: h₃ = h₂·min(1, h₂/h₁). Given h₁ that is
// so where h₂ is below max(pays, √(pays·h₁)).
func falling(first, second beta, pays float64) float64 {
	return first.average(func(h float64) float64 { return second.below(max(pays, math.Sqrt(pays*h))) })
}

// needed is how many more incidents must have been retried before a verdict.
func needed(steps []step, around []Pooled) int {
	own := 0
	if len(steps) > 0 {
		own = steps[0].AtRisk
	}
	return enough(own, around, 0)
}

func number(n int) *int64 {
	v := int64(n)
	return &v
}

// inForce is the cap of incidents that do not tell theirs: the one in force, else
// the largest number of retries seen.
func (c *Cell) inForce() int {
	if n := c.cap(); n >= 0 {
		return n
	}
	return c.count().sighted().longest()
}

// limit is the cap in force; nil: nobody knows.
func (c *Cell) limit() *int64 {
	if n := c.cap(); n >= 0 {
		return number(n)
	}
	return nil
}

// cap returns the cap in force: the one that most chains carry, the larger of
// two, else that of the documents; -1 when nobody knows.
func (c *Cell) cap() int {
	carry := c.count().caps
	if n, ok := defaultRetries[c.Scope.Agent]; ok && len(carry) == 0 {
		return n
	}
	most, _ := carry.most()
	return most
}
