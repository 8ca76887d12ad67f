package analyze

import (
	"fmt"
	"math"
	"slices"
	"time"

	"hansei/queries"
)

// A Duration is how long calls took, and how they ended: one that neither passed
// nor failed otherwise ran into a timeout, and would have taken longer (right-
// censoring).
type Duration struct {
	Seconds     float64
	Passed      bool
	Calls       int
	Failed      bool      // otherwise than by a timeout
	First, Last time.Time // when there were such calls
}

// timeout proposes how long an operation may take, from the distribution of
// what passed: its 99 % point by Kaplan and Meier's estimate, in which a call
// that a timeout cut off counts as longer than it took. The limit in force is
// where these pile up (see limitOf); where they do not, there is none to change.
var timeout = Tuner{Knob: timeoutName, Suggest: suggestTimeout, Observe: observeCalls}

const timeoutName = "timeout"

const (
	// timeoutPoint is the share of the passing calls that a timeout lets pass.
	timeoutPoint = 0.99
	// minCalls is the least number of passing calls: with fewer than 100 the
	// 99 % point is the longest one, whatever that was.
	minCalls = 100
)

func suggestTimeout(c Cell, o TuneOptions) (Suggestion, bool) {
	if len(c.Durations) == 0 {
		return Suggestion{}, false
	}
	calls := inTime(c.Durations)
	passed, cut, longest := endsOf(calls)
	s := Suggestion{Verdict: TooLittleData, N: passed + cut, Evidence: []Evidence{}}
	if cut == 0 || longest == 0 {
		return s, false // no timeout is known to be in force
	}
	inForce, ok := limitOf(calls)
	if !ok {
		s.Reason = noLimit(calls)
		return s, true
	}
	s.Current = number(max(1, int(math.Round(inForce.at))))
	if passed < minCalls {
		s.Needed = minCalls - passed
		s.Reason = Text{
			EN: fmt.Sprintf("Calls that passed and told how long they took: %d; %d more are needed to say how long nearly all of them take.", passed, s.Needed),
			JA: fmt.Sprintf("所要時間が分かる成功は%d件のみ。ほぼ全件が終わる時間を知るにはあと%d件が必要です。", passed, s.Needed),
		}
		return s, true
	}
	s.timeoutVerdict(c.Durations, inForce, c.Lent[timeoutName], o.Worth.Seconds())
	return s, true
}

// timeoutVerdict compares a limit with how long the calls take that pass, and of
// what passes near it the cells around tell too.
func (s *Suggestion) timeoutVerdict(all []Duration, inForce pile, lent []Pooled, worth float64) {
	limit, calls := inForce.at, inTime(all)
	at, late := slowest(calls, inForce, lent)
	passed, _, _ := endsOf(calls)
	s.Evidence = append(s.Evidence, late)
	s.lean(lent, 0)
	s.Verdict, s.Suggested = Keep, s.Current
	switch {
	case late.passes(lent): // calls still pass at the limit: does it cut off what would have?
		s.raiseTimeout(all, inForce, worth)
	case at > 0 && math.Ceil(1.25*at) < 0.9*limit: // a quarter above the point, since the next month differs
		s.Verdict, s.Suggested = Lower, number(int(math.Ceil(1.25*at)))
		s.Effect, _ = under(all, float64(*s.Suggested))
		seen := passedWithin(calls, float64(*s.Suggested))
		s.Prediction = predict(seen.won, seen.n)
		s.Reason = Text{
			EN: fmt.Sprintf("99%% of the %d calls that passed took at most %s; what runs longer runs into the limit of %s. Stop it at %d s.", passed, seconds(at), seconds(limit), *s.Suggested),
			JA: fmt.Sprintf("成功した%d件の99%%は%s以内。それより長いものは制限%sまで待って失敗しています。%d秒で打ち切ります。", passed, secondsJA(at), secondsJA(limit), *s.Suggested),
		}
	default:
		s.Reason = Text{
			EN: fmt.Sprintf("The limit of %s fits: hardly a call passes near it, and those that pass need most of it.", seconds(limit)),
			JA: fmt.Sprintf("制限%sは妥当です。直前で成功する呼び出しはほとんどなく、成功する呼び出しの所要時間とも合っています。", secondsJA(limit)),
		}
	}
}

// raiseTimeout proposes half as much again where that is worth more than the
// waiting for calls that never end. What passes behind the limit nobody saw: the
// effect promises no more than is likely at least.
func (s *Suggestion) raiseTimeout(all []Duration, inForce pile, worth float64) {
	limit, late := inForce.at, s.Evidence[0]
	to := int64(math.Ceil(1.5 * limit))
	e, more := under(all, float64(to))
	_, cut, _ := endsOf(inTime(all))
	if !e.surely(worth) {
		s.Reason = Text{
			EN: fmt.Sprintf("Of %d calls still running in the last fifth before the limit of %s, %d passed there, and ever fewer do the longer they take: of the %d that it cut off likely %s would have passed by %d s, which is not clearly worth waiting for the others. It stays.", late.AtRisk, seconds(limit), late.Won, cut, between(more).EN, to),
			JA: fmt.Sprintf("制限%sの直前（最後の2割）でまだ実行中だった%d件のうち%d件がそこで成功していますが、長くかかるほど成功は減っています。打ち切られた%d件のうち%d秒までに成功したのはおそらく%sで、残りを待つ時間に明らかに見合うとは言えないため、維持します。", secondsJA(limit), late.AtRisk, late.Won, cut, to, between(more).JA),
		}
		return
	}
	s.Verdict, s.Extrapolated, s.Suggested, s.Effect = Raise, true, &to, e
	s.Prediction = predictMore(passedWithin(inTime(all), math.Inf(1)), e.Resolved, more)
	s.Reason = Text{
		EN: fmt.Sprintf("Of %d calls still running in the last fifth before the limit of %s, %d passed there: it cuts off calls that would pass, likely %s of %d by %d s. Try %[6]d s for a month.", late.AtRisk, seconds(limit), late.Won, between(more).EN, cut, to),
		JA: fmt.Sprintf("制限%sの直前（最後の2割）でまだ実行中だった%d件のうち%d件がそこで成功。成功するはずの呼び出しを打ち切っています（%d秒までなら%d件のうちおそらく%s）。%[4]d秒に変えて1か月試してください。", secondsJA(limit), late.AtRisk, late.Won, to, cut, between(more).JA),
	}
}

// surely reports whether an effect is worth more than nothing at the worst ends of
// its intervals.
func (e *Effect) surely(worth float64) bool {
	return e.Interval.Resolved[0]*worth > e.Interval.WaitS[1]+e.Interval.Calls[1]*defaultPrice
}

// between tells the bounds of a number.
func between(more chance) Text {
	return Text{EN: fmt.Sprintf("%.0f to %.0f", more.least, more.most), JA: fmt.Sprintf("%.0f〜%.0f件", more.least, more.most)}
}

// inTime are the calls whose time tells how long one takes: those that did not fail
// otherwise.
func inTime(of []Duration) []Duration {
	return slices.DeleteFunc(slices.Clone(of), func(d Duration) bool { return d.Failed })
}

// under is what the recorded calls come to under a limit of so many seconds, and
// how many more pass.
func under(of []Duration, limit float64) (e Effect, more chance) {
	ends := make([]stretch, 0, len(of))
	for _, d := range of {
		ends = append(ends, stretch{d.Seconds, d.Calls, d.Passed, d.timedOut()})
	}
	row, _ := replayEnds(Replayed{Knob: timeoutName}, ends, &limit, nil)
	return row.Effect, goOn(ends, limit)
}

// observeCalls counts the calls, and those of them that passed.
func observeCalls(_ *Suggestion, c Cell) tally { return passedWithin(c.Durations, math.Inf(1)) }

// endsOf counts the calls that passed and those that a limit cut off, and
// returns that limit: the longest of those.
func endsOf(of []Duration) (passed, cut int, limit float64) {
	for _, d := range of {
		if d.Passed {
			passed += d.Calls
		} else {
			cut += d.Calls
			limit = max(limit, d.Seconds)
		}
	}
	return passed, cut, limit
}

// passedWithin counts the calls that did not fail otherwise, and those of them
// that passed within a limit.
func passedWithin(of []Duration, limit float64) (seen tally) {
	for _, d := range of {
		if d.Failed {
			continue
		}
		seen.n += d.Calls
		if d.Passed && d.Seconds <= limit {
			seen.won += d.Calls
		}
	}
	return seen
}

// slowest returns the 99 % point of the calls that pass, and how many of those
// that ran in the last fifth before the limit passed in it; of that the cells
// around tell too. The durations come in their order.
func slowest(of []Duration, limit pile, around []Pooled) (at float64, late Evidence) {
	left := 0
	for _, d := range of {
		left += d.Calls
	}
	alive, shares := 1.0, make([]float64, len(of))
	for i, d := range of {
		if d.Seconds >= 0.8*limit.at {
			late.AtRisk += d.Calls
			if d.Passed && d.Seconds <= limit.end {
				late.Won += d.Calls
			}
		}
		if d.Passed {
			alive *= 1 - float64(d.Calls)/float64(left)
		}
		left -= d.Calls
		shares[i] = 1 - alive
	}
	for i, share := range shares {
		if share >= timeoutPoint*shares[len(shares)-1]-1e-9 { // 99 of 100 are enough, however that is rounded
			at = of[i].Seconds
			break
		}
	}
	late.Retry = 1
	if late.AtRisk > 0 {
		late.finish(around, 0)
	}
	return at, late
}

// passes reports whether what comes near a limit passes too often to be cut off.
func (e *Evidence) passes(lent []Pooled) bool {
	low, _ := e.likely(lent, 0)
	return enough(e.AtRisk, lent, 0) == 0 && low > hopeless
}

// durationCells gathers the durations by operation, which come in that order.
func durationCells(of []queries.Duration) []Cell {
	var out []Cell
	for _, d := range of {
		scope := Scope{Agent: d.Agent, Operation: d.Operation}
		if len(out) == 0 || out[len(out)-1].Scope != scope {
			out = append(out, Cell{Scope: scope})
		}
		last := &out[len(out)-1]
		last.Durations = append(last.Durations, Duration{float64(d.DurationMS) / 1000, d.Passed, int(d.Calls), !d.Passed && !d.Cut, d.First, d.Last})
	}
	return out
}
