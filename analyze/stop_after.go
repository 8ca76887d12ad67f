package analyze

import "fmt"

// stopAfterKnob proposes after how many similar errors in a row an agent should
// stop: the smallest n after which chains no longer recover. A chain that had n
// failures and was tried again is at risk; one that stopped there tells nothing
// (right-censoring). "No longer" is below hopeless, with 95 % confidence, and
// where that is dearer than what still recovers is worth (see gains).
var stopAfterKnob = Tuner{Knob: stopAfterName, Suggest: suggestStopAfter, Beside: true, Observe: observeStops}

const stopAfterName = "stop_after"

// hopeless is the share of chains that still recover below which a person would
// rather be told: one in twenty, the error that is allowed everywhere else.
const hopeless = 0.05

// defaultStops are the thresholds of the documents that the systems came with.
var defaultStops = map[string]int{
	"monadic":    3, // three similar errors of the last ten
	"openstarry": 5, // frustration 5
}

func suggestStopAfter(c Cell, o TuneOptions) (Suggestion, bool) {
	c, hasty := c.patient(o.Worth.Seconds())
	chains := c.sighted()
	s := Suggestion{Verdict: TooLittleData, N: len(chains), Evidence: []Evidence{}}
	ends := c.count().sighted()
	longest := ends.longest()
	if longest == 0 {
		return s, false
	}
	if hasty.rules() {
		s.tooSoon(&hasty)
		return s, true
	}
	current, told := defaultStops[c.Scope.Agent]
	if !told || longest >= current { // the record goes past the document's
		current = longest + 1 // as far as they went
	}
	s.Current = number(current)
	lent := c.Lent[stopAfterName]
	stop := s.hopelessAfter(ends.recovered(), lent, c.hazards(o), o.Worth.Seconds())
	if s.Needed = enough(s.tried(), lent, 0); s.Needed > 0 && !(stop > 0 && vouched(s.tried(), lent, stop-1)) {
		s.Reason = tooLittle(c.count().retried(), s.Needed)
		return s, c.count().retried() > 0
	}
	s.Needed = 0
	s.lean(lent, max(0, stop-1))
	if stop == 0 {
		s = s.stillRecovers()
		s.tellPatient(&hasty)
		return s, true
	}
	s.Suggested = number(stop)
	s.Effect = replay(chains, onlyStricter, stop-1, c.hazards(o)) // n failures are n−1 retries
	e := s.Evidence[stop-1]
	s.Prediction = predict(s.Evidence[0].Won-e.Won, s.Evidence[0].AtRisk)
	after := inARow(stop)
	most := e.posterior(lent, stop-1).quantile(1 - falseDiscoveries) // by which it was decided
	s.Reason = Text{
		EN: fmt.Sprintf("Of %d incidents that were tried again after %s, %d recovered, in the long run likely at most %s: stop there and ask a person.", e.AtRisk, after.EN, e.Won, percent(most)),
		JA: fmt.Sprintf("%s後も試行した%d件のうち、回復は%d件（長期的にも多くて%s程度）。そこで停止して人に確認します。", after.JA, e.AtRisk, e.Won, percent(most)),
	}
	s.tellPatient(&hasty)
	s.Verdict = Lower // stop ≤ longest < current
	return s, true
}

// observeStops counts the incidents that were retried, and those of them that a
// retry resolved; where none is to be retried, all incidents. Those that went on
// behind the stop are left out before.
func observeStops(s *Suggestion, c Cell) (seen tally) {
	return resolvedByRetry(c, *s.Suggested == 1)
}

// tried is how many were tried at all.
func (s *Suggestion) tried() int {
	if len(s.Evidence) == 0 {
		return 0
	}
	return s.Evidence[0].AtRisk
}

// hopelessAfter fills in how many recovered after each number of failures, and
// returns the first after which hardly any does, with the cells around heard; 0:
// none. Each further number must be twice as sure as the one before, as in decide,
// and the surest is what false discovery control sees, found or not: a cell that
// asked and found nothing counts among the cells that were asked.
func (s *Suggestion) hopelessAfter(after []Evidence, lent []Pooled, steps []step, worth float64) (stop int) {
	least, spend := 1.0, 1.0
	for n := 1; n <= len(after); n++ {
		e := after[n-1]
		if e.AtRisk < minOwn {
			break
		}
		e.finish(lent, n-1)
		e.Pays = priceFrom(steps, n) / worth
		s.Evidence = append(s.Evidence, e)
		if p := min(1, spend*(1-e.posterior(lent, n-1).below(hopeless))); stop == 0 {
			least = min(least, p)
			if p <= falseDiscoveries {
				stop, least = n, p
			}
		}
		spend *= 2
	}
	if len(s.Evidence) > 0 {
		s.P = &least
	}
	return stop
}

// priceFrom is what an incident that makes retry n still costs, in seconds: that
// retry and those behind it, as far as incidents went.
func priceFrom(steps []step, n int) (price float64) {
	if n > len(steps) {
		return 0
	}
	for _, s := range steps[n-1:] {
		price += s.price * float64(s.AtRisk) / float64(steps[n-1].AtRisk)
	}
	return price
}

// recovered counts, for each number of failures, the incidents that were tried
// again after so many, and those of them that a retry resolved in the end.
func (e ends) recovered() []Evidence {
	out := make([]Evidence, e.longest())
	var seen tally
	for n := len(out); n >= 1; n-- {
		seen.n += e.made[n]
		seen.won += e.won[n]
		out[n-1] = Evidence{Retry: n, AtRisk: seen.n, Won: seen.won}
	}
	return out
}

// stillRecovers keeps the threshold where every length seen still recovers.
func (s Suggestion) stillRecovers() Suggestion {
	e := s.Evidence[len(s.Evidence)-1]
	s.Verdict, s.Suggested = Keep, s.Current
	after := inARow(e.Retry)
	if e.Won == 0 {
		s.Reason = Text{
			EN: fmt.Sprintf("After %s, 0 of %d recovered, but so few cannot rule out that up to %s do. Nothing says to stop earlier.", after.EN, e.AtRisk, percent(e.High)),
			JA: fmt.Sprintf("%s後は%d件中0件の回復ですが、この件数では%s程度まで回復する可能性が残ります。早く止める根拠はありません。", after.JA, e.AtRisk, percent(e.High)),
		}
		return s
	}
	s.Reason = Text{
		EN: fmt.Sprintf("Even after %s, %d of %d still recovered; longer rows are too rare to tell. Nothing says to stop earlier.", after.EN, e.Won, e.AtRisk),
		JA: fmt.Sprintf("%s後でも、%d件中%d件が回復しています（それより長く続いた例は少なく、判断できません）。早く止める根拠はありません。", after.JA, e.AtRisk, e.Won),
	}
	return s
}

// inARow says how many errors came one after the other.
func inARow(n int) Text {
	if n == 1 {
		return Text{EN: "the first error", JA: "最初のエラーの"}
	}
	return Text{EN: fmt.Sprintf("%d similar errors in a row", n), JA: fmt.Sprintf("同種のエラーが%d回続いた", n)}
}
