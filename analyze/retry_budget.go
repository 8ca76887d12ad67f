package analyze

import (
	"fmt"
	"math"
	"slices"
	"time"

	"hansei/queries"
)

// retryBudget proposes which share of an agent's calls may be retries: as much
// as its calm hours need, so that a retry storm cannot multiply the load of
// whatever is down ("The Site Reliability Workbook" calls it a retry budget;
// Finagle, Linkerd and Envoy have one). It is proposed where the retries beyond
// it, in the hours that have some, win too seldom for their price.
var retryBudget = Tuner{Knob: retryBudgetName, Suggest: suggestRetryBudget, Observe: observeBudget}

const retryBudgetName = "retry_budget"

const (
	// budgetPoint is the share of the calm hours that a budget leaves alone.
	budgetPoint = 0.99
	// spareRetries an hour are outside the budget, so that an hour of few calls
	// can retry at all: as many as Envoy's min_retry_concurrency.
	spareRetries = 3
	// usualPoint is the share of the hours that are usual: a storm in fewer than a
	// tenth of them cannot hide itself in what is usual, as with outages.
	usualPoint = 0.9
	// minHours is the least number of calm hours: with fewer the 99 % point is
	// the worst hour, whatever that was.
	minHours = 100
)

// A TrafficHour is what an agent called in an hour.
type TrafficHour struct {
	At                  time.Time
	Tries, Retries, Won int     // first tries; retries, and those of them that passed
	Seconds             float64 // that the retries waited and ran
	Outage              bool    // it lies in an outage of some category
}

// beyond is how many retries of the hour a budget in percent leaves out.
func (h *TrafficHour) beyond(percent int64) float64 {
	return max(0, float64(h.Retries)-spareRetries-float64(percent)/100*float64(h.Tries))
}

func suggestRetryBudget(c Cell, o TuneOptions) (Suggestion, bool) {
	if c.Traffic == nil {
		return Suggestion{}, false
	}
	s := Suggestion{Verdict: TooLittleData, Evidence: []Evidence{}}
	retried := 0
	for _, h := range c.Traffic {
		s.N += h.Tries + h.Retries
		retried += h.Retries
	}
	needs := calmNeeds(c.Traffic)
	if len(c.Traffic) > 0 && retried < minIncidents {
		return s, false // where hardly anybody retries there is nothing to hold back
	}
	if len(needs) < minHours {
		s.Needed = minHours - len(needs)
		s.Reason = Text{
			EN: fmt.Sprintf("Hours in which the calls that passed at once were told too: %d; %d more are needed to say which share of the calls retries make up. Publish every call that passes (kind success, attempt 1), not only those that failed.", len(needs), s.Needed),
			JA: fmt.Sprintf("一度で成功した呼び出しも記録された時間は%d時間のみ。呼び出しに占めるリトライの割合を知るにはあと%d時間分が必要です。失敗だけでなく、成功した呼び出し（kind: success、attempt: 1）もすべて送ってください。", len(needs), s.Needed),
		}
		return s, true
	}
	s.budgetVerdict(c.Traffic, max(1, pointOf(needs, budgetPoint)), o.Worth.Seconds())
	return s, true
}

// calmNeeds returns the budgets in percent that the calm hours need, in order.
// Hours of outages are not calm, nor are those of storms: of so many retries that
// with what is usual they would be rarer than outageChance under a Poisson law.
// Else a storm of a hundredth of the hours would be in the point that it is held
// against.
func calmNeeds(hours []TrafficHour) []int64 {
	var all []int64
	for i := range hours {
		if h := &hours[i]; !h.Outage && h.Tries > 0 {
			all = append(all, h.need())
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	usual := float64(pointOf(all, usualPoint)) / 100
	calm := all[:0]
	for i := range hours {
		h := &hours[i]
		if !h.Outage && h.Tries > 0 && poissonAtLeast(h.Retries, spareRetries+usual*float64(h.Tries)) >= outageChance {
			calm = append(calm, h.need())
		}
	}
	slices.Sort(calm)
	return calm
}

// need is the budget in percent that leaves out none of the hour's retries.
func (h *TrafficHour) need() int64 {
	return int64(math.Ceil(100 * max(0, float64(h.Retries-spareRetries)) / float64(h.Tries)))
}

// pointOf returns the point of a distribution, whose values come in order.
func pointOf(of []int64, share float64) int64 {
	return of[min(len(of)-1, int(math.Ceil(share*float64(len(of))))-1)]
}

// budgetVerdict compares what the retries of the hours beyond a budget win with
// what they cost. In such an hour those left out are like those made.
func (s *Suggestion) budgetVerdict(hours []TrafficHour, budget int64, worth float64) {
	within, beyond := Evidence{Retry: 1}, Evidence{Retry: 2}
	var resolved, retries, wait sample
	price, storms := 0.0, 0
	for i := range hours {
		h := &hours[i]
		cut := h.beyond(budget)
		if cut == 0 {
			within.AtRisk, within.Won = within.AtRisk+h.Retries, within.Won+h.Won
			for _, total := range []*sample{&resolved, &retries, &wait} {
				total.add(0, 0)
			}
			continue
		}
		storms++
		beyond.AtRisk, beyond.Won = beyond.AtRisk+h.Retries, beyond.Won+h.Won
		price += h.Seconds
		share := float64(h.Won) / float64(h.Retries)
		resolved.add(-cut*share, cut*share*(1-share))
		retries.add(-cut, 0)
		wait.add(-cut*h.Seconds/float64(h.Retries), 0)
	}
	price = meanPrice(price, beyond.AtRisk)
	for _, e := range []*Evidence{&within, &beyond} {
		if e.AtRisk > 0 {
			e.finish(nil, 0)
			e.Pays = price / worth
			s.Evidence = append(s.Evidence, *e)
		}
	}
	s.Verdict = Keep
	if storms == 0 {
		s.Reason = Text{
			EN: fmt.Sprintf("No hour had more retries than a budget of %d%% of the calls would allow: there is no storm to hold back.", budget),
			JA: fmt.Sprintf("リトライが呼び出しの%d%%を超えた時間はなく、抑えるべき集中はありません。", budget),
		}
		return
	}
	p := 1 - jeffreys.after(beyond.Won, beyond.AtRisk).below(price/worth)
	s.P = &p
	told := []any{budget, storms, beyond.Won, beyond.AtRisk}
	if p > falseDiscoveries {
		s.Reason = Text{
			EN: fmt.Sprintf("Nearly all calm hours keep retries within %d%% of the calls. %s, %d of %d retries still resolved, which is worth what they take: no budget is needed.", budget, hoursBeyond(storms), beyond.Won, beyond.AtRisk),
			JA: fmt.Sprintf("平常時のリトライはほぼ常に呼び出しの%d%%以内です。それを超えた%d時間でも、リトライ%[4]d回中%[3]d回が解決し、費用に見合うため、上限は不要です。", told...),
		}
		return
	}
	s.Verdict, s.Suggested = Lower, &budget
	s.Effect = Effect{
		Resolved: round(resolved.sum), Retries: round(retries.sum), WaitS: round(wait.sum),
		Interval: EffectIntervals{Resolved: resolved.interval(), Retries: retries.interval(), WaitS: wait.interval()},
	}
	s.Prediction = predict(within.Won+beyond.Won+int(math.Round(resolved.sum)), within.AtRisk+beyond.AtRisk+int(math.Round(retries.sum)))
	s.Reason = Text{
		EN: fmt.Sprintf("Nearly all calm hours keep retries within %d%% of the calls. %s, %d of %d retries resolved, too few for what they take (%s each; a resolution is worth %s). Allow %d%% and %d retries an hour.", budget, hoursBeyond(storms), beyond.Won, beyond.AtRisk, seconds(price), seconds(worth), budget, spareRetries),
		JA: fmt.Sprintf("平常時のリトライはほぼ常に呼び出しの%d%%以内です。それを超えた%d時間では、解決はリトライ%[4]d回中%[3]d回で、費用（1回%[5]s、解決1件の価値は%[6]s）に見合いません。呼び出しの%[7]d%%と1時間あたり%[8]d回までとします。", append(told, secondsJA(price), secondsJA(worth), budget, spareRetries)...),
	}
}

func hoursBeyond(n int) string {
	if n == 1 {
		return "In the one hour beyond that"
	}
	return fmt.Sprintf("In the %d hours beyond that", n)
}

// meanPrice is the mean price of retries, or the default one where nobody told.
func meanPrice(seconds float64, retries int) float64 {
	if seconds <= 0 || retries == 0 {
		return defaultPrice
	}
	return seconds / float64(retries)
}

// observeBudget counts the retries, and those of them that passed.
func observeBudget(_ *Suggestion, c Cell) (seen tally) {
	for i := range c.Traffic {
		seen.n += c.Traffic[i].Retries
		seen.won += c.Traffic[i].Won
	}
	return seen
}

// trafficCells gathers the hours by agent, which come in that order, and adds
// the agents that retry and whose traffic nobody knows: they have no hours.
func trafficCells(of []queries.TrafficHour, retrying []string) []Cell {
	var out []Cell
	for _, h := range of {
		scope := Scope{Agent: h.Agent}
		if len(out) == 0 || out[len(out)-1].Scope != scope {
			out = append(out, Cell{Scope: scope, Traffic: []TrafficHour{}})
		}
		last := &out[len(out)-1]
		last.Traffic = append(last.Traffic, TrafficHour{h.Hour, int(h.Tries), int(h.Retries), int(h.Won), float64(h.MS) / 1000, false})
	}
	for _, agent := range retrying {
		scope := Scope{Agent: agent}
		if !slices.ContainsFunc(out, func(c Cell) bool { return c.Scope == scope }) {
			out = append(out, Cell{Scope: scope, Traffic: []TrafficHour{}})
		}
	}
	return out
}

// calmHours marks the hours of cells that lie in an outage.
func calmHours(cells []Cell, outages []Outage) {
	for i := range cells {
		for j := range cells[i].Traffic {
			h := &cells[i].Traffic[j]
			h.Outage = slices.ContainsFunc(outages, func(o Outage) bool { return h.At.Before(o.To) && h.At.Add(time.Hour).After(o.From) })
		}
	}
}
