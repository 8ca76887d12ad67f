package reports

import (
	"math"
	"strconv"
	"strings"

	"hansei/analyze"
)

// untold is the effect of a change that no record tells, as of waits that the
// server asks for.
var untold = text{EN: "effect not in the record", JA: "効果は記録からは不明"}

// effect tells what a change would have changed, each part with its bounds.
func (r *Report) effect(s analyze.Suggestion) string {
	if !isChange(s) {
		return dash
	}
	if s.Effect == (analyze.Effect{}) {
		return r.say(untold)
	}
	return r.effectOf(s.Effect)
}

// effectOf tells an effect, each part with its bounds.
func (r *Report) effectOf(e analyze.Effect) string {
	parts := []string{r.resolvedPart(e)}
	for _, p := range r.costs(e) {
		parts = append(parts, p.words+p.bounds)
	}
	return strings.Join(parts, r.say(text{EN: ", ", JA: "、"}))
}

// promise tells the same on one line of the first screen, where only the
// resolved ones have their bounds.
func (r *Report) promise(e analyze.Effect) string {
	if e == (analyze.Effect{}) {
		return r.say(untold)
	}
	when := r.say(text{EN: "in a span like this", JA: "同じような期間なら"})
	if r.wholeMonth() {
		when = r.say(text{EN: "in a month like this", JA: "同じような月なら"})
	}
	var costs []string
	for _, p := range r.costs(e) {
		costs = append(costs, p.words)
	}
	if r.Lang == JA {
		return when + strings.Join(append([]string{r.resolvedPart(e)}, costs...), "、")
	}
	told := r.resolvedPart(e) + " " + when
	if len(costs) == 0 {
		return told
	}
	with := ", with "
	if e.Resolved > 0 && (e.Retries > 0 || e.Calls > 0 || e.WaitS > 0) {
		with = ", for "
	}
	last := len(costs) - 1
	if last > 0 {
		costs = []string{strings.Join(costs[:last], ", "), costs[last]}
	}
	return told + with + strings.Join(costs, " and ")
}

// resolvedPart is how many more or fewer would have been resolved: "about 13
// more resolved (6 to 20)".
func (r *Report) resolvedPart(e analyze.Effect) string {
	n := int64(math.Round(math.Abs(e.Resolved)))
	var told string
	switch {
	case e.Resolved == 0:
		return r.say(text{EN: "as many resolved", JA: "解決は同数"})
	case n == 0:
		return r.say(text{EN: "about as many resolved", JA: "解決はほぼ同数"}) + r.bounds(0, e.Interval.Resolved, rounded)
	case e.Resolved > 0:
		told = r.say(text{EN: "about %s more resolved", JA: "解決が約%s件増"}, group(n))
	default:
		told = r.say(text{EN: "about %s fewer resolved", JA: "解決が約%s件減"}, group(n))
	}
	return told + r.bounds(e.Resolved, e.Interval.Resolved, rounded)
}

// A cost is what a change would have cost or saved, and its bounds.
type cost struct{ words, bounds string }

// costs are retries, calls of turns, waiting, tokens and dollars, those that change.
func (r *Report) costs(e analyze.Effect) (costs []cost) {
	for _, of := range []struct {
		v        float64
		interval [2]float64
		unit     text
		one      string
	}{
		{e.Retries, e.Interval.Retries, text{EN: "retries", JA: "リトライ"}, "retry"},
		{e.Calls, e.Interval.Calls, text{EN: "calls", JA: "呼び出し"}, "call"},
	} {
		n := int64(math.Round(math.Abs(of.v)))
		if n == 0 {
			continue
		}
		unit, more := r.say(of.unit), text{EN: "%s more %s", JA: "%[2]s%[1]s回増"}
		if of.v < 0 {
			more = text{EN: "%s fewer %s", JA: "%[2]s%[1]s回減"}
		}
		if n == 1 && r.Lang == EN {
			unit = of.one
			more.EN = strings.Replace(more.EN, "%s fewer %s", "%s %s fewer", 1)
		}
		costs = append(costs, cost{r.say(more, group(n), unit), r.bounds(of.v, of.interval, rounded)})
	}
	if math.Abs(e.WaitS) >= 0.05 {
		more := text{EN: "%s more waiting", JA: "待機%s増"}
		if e.WaitS < 0 {
			more = text{EN: "%s less waiting", JA: "待機%s減"}
		}
		costs = append(costs, cost{r.say(more, r.lasting(math.Abs(e.WaitS))), r.bounds(e.WaitS, e.Interval.WaitS, r.lasting)})
	}
	return append(costs, r.spent(e)...)
}

// spent are the tokens and dollars of the retries, those that change: mostly they
// are what a change is for, where they are told.
func (r *Report) spent(e analyze.Effect) (costs []cost) {
	if n := math.Round(math.Abs(e.Tokens)); n > 0 {
		more := text{EN: "%s more tokens", JA: "トークン%s増"}
		if e.Tokens < 0 {
			more = text{EN: "%s fewer tokens", JA: "トークン%s減"}
		}
		costs = append(costs, cost{r.say(more, group(int64(n))), r.bounds(e.Tokens, e.Interval.Tokens, rounded)})
	}
	if n := math.Abs(e.CostUSD); n >= 0.005 {
		more := text{EN: "%s more spent", JA: "費用%s増"}
		if e.CostUSD < 0 {
			more = text{EN: "%s less spent", JA: "費用%s減"}
		}
		costs = append(costs, cost{r.say(more, dollars(n)), r.bounds(e.CostUSD, e.Interval.CostUSD, dollars)})
	}
	return costs
}

// dollars writes an amount of zero or more, below ten with its cents.
func dollars(v float64) string {
	if v < 10 {
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	}
	return "$" + group(int64(math.Round(v)))
}

// bounds writes an interval in the direction of v, as the words before it say
// more or fewer: of -6 with -8 to -4 it is "(4 to 8)". A bound on the other
// side of zero has a minus.
func (r *Report) bounds(v float64, interval [2]float64, show func(float64) string) string {
	if interval == [2]float64{} {
		return ""
	}
	low, high := interval[0], interval[1]
	if v < 0 {
		low, high = -high, -low
	}
	signed := func(v float64) string {
		if said := show(math.Abs(v)); v < 0 && said != show(0) {
			return "-" + said
		}
		return show(math.Abs(v))
	}
	if signed(low) == signed(high) {
		return "" // it is known, or says nothing at this rounding
	}
	return r.say(text{EN: " (%s to %s)", JA: "（%s〜%s）"}, signed(low), signed(high))
}

// rounded writes a number of zero or more without decimals, and one below 1
// with one, as it would else look like none.
func rounded(v float64) string {
	if v < 1 && math.Round(10*v) > 0 {
		return decimal(v)
	}
	return group(int64(math.Round(v)))
}
