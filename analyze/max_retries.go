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
// estimates the discrete hazard (Kaplan and Meier 1958). The best cap follows
// from optimal stopping by backward induction over
//
//	v_k = max(0, h_k·V − c_k + (1−h_k)·v_{k+1})
//
// where V is the worth of a resolution and c_k the mean price of retry k. The
// induction is run at the hazards and at their Wilson bounds: a change is
// proposed only where the current cap lies outside what the bounds allow, so
// chance alone seldom moves it.
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

func suggestMaxRetries(c Cell, o TuneOptions) (Suggestion, bool) {
	evidence, costs := hazards(c.Chains, o)
	current := c.cap()
	s := Suggestion{Verdict: TooLittleData, N: len(c.Chains), Evidence: evidence}
	if current >= 0 {
		s.Current = number(current)
	}
	if len(evidence) == 0 || evidence[0].AtRisk < minIncidents {
		if c.retried() == 0 {
			return s, false // nobody retries here, so there is nothing to learn
		}
		s.Reason = s.tooLittle(c)
		return s, true
	}
	if current < 0 {
		current = len(evidence) // the largest number of retries seen
	}
	worth := o.Worth.Seconds()
	low := bestCap(trusted(evidence), costs, worth, func(e Evidence) float64 { return e.Low })
	point := bestCap(evidence, costs, worth, func(e Evidence) float64 { return e.Hazard })
	high := bestCap(evidence, costs, worth, func(e Evidence) float64 { return e.High })

	suggested := current
	switch {
	case high < len(evidence) && current > high:
		s.Verdict, suggested = Lower, point
	case current < low:
		s.Verdict, suggested = Raise, low
	case current == low && current == len(evidence) && worthOneMore(evidence, costs, worth):
		s.Verdict, suggested, s.Extrapolated = Raise, current+1, true
	default:
		s.Verdict = Keep
	}
	s.Suggested = number(suggested)
	s.Effect = replay(c.Chains, suggested, evidence, costs)
	s.Reason = s.reason(evidence, costs, worth)
	return s, true
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

// hazards returns what each retry achieved, and its mean price in seconds. It
// ends at the first retry that nobody made.
func hazards(chains []Chain, o TuneOptions) ([]Evidence, []float64) {
	var evidence []Evidence
	var costs []float64
	for k := 1; ; k++ {
		e := Evidence{Retry: k}
		sum, known := 0.0, 0
		for _, c := range chains {
			if c.Retries < k {
				continue
			}
			e.AtRisk++
			if c.Won && c.Retries == k {
				e.Won++
			}
			if price := c.Cost[k-1]; price.Known {
				sum, known = sum+price.in(o), known+1
			}
		}
		if e.AtRisk == 0 {
			return evidence, costs
		}
		e.Hazard = float64(e.Won) / float64(e.AtRisk)
		e.Low, e.High = wilson(e.Won, e.AtRisk)
		cost := defaultPrice
		if known > 0 {
			cost = sum / float64(known)
		}
		evidence, costs = append(evidence, e), append(costs, cost)
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
func bestCap(evidence []Evidence, costs []float64, worth float64, hazard func(Evidence) float64) int {
	next, best := 0.0, len(evidence)
	for k := len(evidence); k >= 1; k-- {
		h := hazard(evidence[k-1])
		next = h*worth - costs[k-1] + (1-h)*next
		if next <= 0 {
			next, best = 0, k-1
		}
	}
	return best
}

// trusted is the evidence up to the first retry that too few incidents made: a
// raise must not rest on a handful.
func trusted(evidence []Evidence) []Evidence {
	for i, e := range evidence {
		if e.AtRisk < minIncidents {
			return evidence[:i]
		}
	}
	return evidence
}

// worthOneMore reports whether one retry beyond all that were made would pay
// if it won no more often than the lower bound of the last one.
func worthOneMore(evidence []Evidence, costs []float64, worth float64) bool {
	last := len(evidence) - 1
	e := evidence[last]
	return e.AtRisk >= minIncidents && e.Won < e.AtRisk && e.Low*worth > costs[last]
}

// replay runs the recorded incidents under the cap: exactly where it is
// stricter than what was recorded; where it is looser, the incidents that were
// cut off win each further retry with its hazard, and beyond all that was made
// with the lower bound of the last one.
func replay(chains []Chain, cap int, evidence []Evidence, costs []float64) Effect {
	var resolved, retries, wait sample
	for _, c := range chains {
		r, n, w := 0.0, 0.0, 0.0
		if c.Retries > cap {
			if c.Won {
				r = -1
			}
			n = float64(cap - c.Retries)
			for _, price := range c.Cost[cap:] {
				w -= price.Seconds
			}
		} else if !c.Won && c.Retries > 0 {
			r, n, w = prolong(c.Retries, cap, evidence, costs)
		}
		resolved.add(r)
		retries.add(n)
		wait.add(w)
	}
	return Effect{
		Resolved: round(resolved.sum), Retries: round(retries.sum), WaitS: round(wait.sum),
		Interval: EffectIntervals{Resolved: resolved.interval(), Retries: retries.interval(), WaitS: wait.interval()},
	}
}

// prolong returns what an incident that lost all its retries may expect of
// those up to cap.
func prolong(made, cap int, evidence []Evidence, costs []float64) (resolved, retries, wait float64) {
	alive := 1.0
	for k := made + 1; k <= cap; k++ {
		i := min(k, len(evidence)) - 1
		hazard := evidence[i].Hazard
		if k > len(evidence) {
			hazard = evidence[i].Low
		}
		retries += alive
		wait += alive * costs[i]
		resolved += alive * hazard
		alive *= 1 - hazard
	}
	return resolved, retries, wait
}

// A sample sums what single incidents gain, and how much that varies.
type sample struct {
	n            int
	sum, squares float64
}

func (s *sample) add(x float64) {
	s.n++
	s.sum += x
	s.squares += x * x
}

// interval returns the 95 % interval of the sum over as many incidents, by the
// central limit theorem.
func (s *sample) interval() [2]float64 {
	n := float64(s.n)
	variance := max(0, s.squares/n-s.sum/n*s.sum/n)
	half := z95 * math.Sqrt(n*variance)
	return [2]float64{round(s.sum - half), round(s.sum + half)}
}

// round keeps two decimals: less than the data can tell.
func round(x float64) float64 {
	return math.Round(x*100)/100 + 0 // no negative zero
}

func (s *Suggestion) tooLittle(c Cell) Text {
	need := minIncidents - c.retried()
	return Text{
		EN: fmt.Sprintf("Only %d incidents were retried; %d more are needed before the numbers say anything.", c.retried(), need),
		JA: fmt.Sprintf("リトライした事象は%d件のみ。判断にはあと%d件が必要です。", c.retried(), need),
	}
}

// reason tells the verdict in the words of its evidence.
func (s *Suggestion) reason(evidence []Evidence, costs []float64, worth float64) Text {
	current := int64(len(evidence))
	if s.Current != nil {
		current = *s.Current
	}
	switch s.Verdict {
	case Lower:
		k := int(*s.Suggested) // the retries behind it do not pay
		e := evidence[k]
		return Text{
			EN: fmt.Sprintf("Retry %d resolved %d of %d (at most %s with 95 %% confidence) and costs %s; %s of worth do not pay for it. Stop after %d instead of %d.", k+1, e.Won, e.AtRisk, percent(e.High), seconds(costs[k]), seconds(worth), k, current),
			JA: fmt.Sprintf("リトライ%d回目で解決したのは%d件中%d件(95%%信頼上限%s)、1回の費用は%s。解決の価値%sに見合いません。%d回から%d回に減らします。", k+1, e.AtRisk, e.Won, percent(e.High), seconds(costs[k]), seconds(worth), current, k),
		}
	case Raise:
		e := evidence[min(int(*s.Suggested), len(evidence))-1]
		note := Text{}
		if s.Extrapolated {
			note = Text{EN: " No incident went that far yet: try it for a month and look again.", JA: "まだ誰も試していない回数なので、1か月試して確認してください。"}
		}
		return Text{
			EN: fmt.Sprintf("Retry %d still resolved %d of %d (at least %s with 95 %% confidence) for %s each, and the cap of %d cuts incidents off. Allow %d.%s", e.Retry, e.Won, e.AtRisk, percent(e.Low), seconds(costs[e.Retry-1]), current, *s.Suggested, note.EN),
			JA: fmt.Sprintf("リトライ%d回目でも%d件中%d件が解決(95%%信頼下限%s)、1回の費用は%s。上限%d回で打ち切られています。%d回に増やします。%s", e.Retry, e.AtRisk, e.Won, percent(e.Low), seconds(costs[e.Retry-1]), current, *s.Suggested, note.JA),
		}
	}
	e := evidence[0]
	return Text{
		EN: fmt.Sprintf("The first retry resolved %d of %d (%s to %s); within what the numbers can tell, %d is right.", e.Won, e.AtRisk, percent(e.Low), percent(e.High), current),
		JA: fmt.Sprintf("1回目のリトライで%d件中%d件が解決(%s〜%s)。現在の%d回は妥当な範囲です。", e.AtRisk, e.Won, percent(e.Low), percent(e.High), current),
	}
}

func percent(p float64) string { return fmt.Sprintf("%.0f%%", 100*p) }

func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}
