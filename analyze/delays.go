package analyze

import (
	"fmt"
	"math"
	"strings"
)

// delays proposes how long to wait before each retry.
//
// What counts is the time since the first failure, not the number of tries: an
// incident that passed at retry k recovered between retry k−1 and k (interval-
// censored), one that was given up has not recovered by its last retry (right-
// censored). From the curve of recovery by elapsed time (see recovery) come
// up to three waits that reach its 50, 80 and 95 % points, no more of them than
// the cell may retry (see pauses); the last is the horizon behind which waiting
// no longer helps. Where times are missing or clocks
// differ, the waits and durations that were reported are added up. What the
// server asked for (Retry-After, where events carry it as the attribute
// retry_after) is a least wait. Add jitter: a random share of each wait,
// so that agents do not come back together.
var delays = Tuner{Knob: delaysKnob, Suggest: suggestDelays, Beside: true, Observe: observeHorizon}

const delaysKnob = "delays"

// recoveryPoints are the shares of the recoveries that the waits reach before as
// many retries; of more retries they are those of the last.
var recoveryPoints = [][]float64{{0.95}, {0.5, 0.95}, {0.5, 0.8, 0.95}}

// pointsOf returns the shares that the waits of a cell reach: no more than its
// retries, where it is known how many these are.
func (c *Cell) pointsOf() []float64 {
	most := len(recoveryPoints)
	if cap := c.cap(); cap > 0 {
		most = min(most, cap)
	}
	return recoveryPoints[most-1]
}

func suggestDelays(c Cell, o TuneOptions) (Suggestion, bool) {
	s, ok := waitsOf(c)
	if s.Verdict == Keep { // what the curve asks for is no suggestion
		if s.Values, s.Effect = nil, (Effect{}); s.Current != nil {
			s.Suggested = s.Current
			seen := observeHorizon(&s, c.of(c.sighted()))
			s.Prediction = predict(seen.won, seen.n)
		}
	}
	return s, ok
}

// waitsOf is suggestDelays with what the curve asks for, whether that is clearly
// another wait or not.
func waitsOf(c Cell) (Suggestion, bool) {
	var horizons []float64
	var paused pauses
	recovered := 0
	of := c.sighted()
	times := make([]interval, 0, len(of))
	for i := range of {
		chain := &of[i]
		x, last, ok := chain.recovers()
		if !ok {
			continue
		}
		times = append(times, x)
		if chain.Won {
			recovered++
		} else {
			horizons = append(horizons, last)
		}
		paused.add(chain)
	}
	s := Suggestion{Verdict: TooLittleData, N: len(times), Evidence: []Evidence{}}
	if len(horizons) > 0 {
		s.Current = number(int(math.Round(nth(horizons, len(horizons)/2))))
	}
	if recovered < minIncidents {
		s.Needed = minIncidents - recovered
		s.Reason = Text{
			EN: fmt.Sprintf("Incidents that recovered after a known wait: %d; %d more are needed to say how long to wait.", recovered, s.Needed),
			JA: fmt.Sprintf("待ち時間が分かる回復は%d件のみ。待ち時間の提案にはあと%d件が必要です。", recovered, s.Needed),
		}
		return s, recovered > 0
	}
	sorted := sortOf(times)
	mass := sorted.settle()
	at := sorted.curve(mass)
	var points []float64
	for _, share := range c.pointsOf() {
		points = append(points, at.reaches(share))
	}
	s.Values = paused.between(points)
	s.Effect = waiting(s.Values, of)
	low, high := sorted.bounds(mass, 0.95)
	s.Suggested = number(int(math.Ceil(at.reaches(0.95))))
	seen := observeHorizon(&s, c.of(of))
	s.Prediction = predict(seen.won, seen.n)
	for range min(c.Wrong[delaysKnob], 3) { // its interval widens as that of half the incidents would
		middle := at.reaches(0.95)
		low, high = max(0, middle-(middle-low)*math.Sqrt2), middle+(high-middle)*math.Sqrt2
	}
	s.Verdict = Keep
	if s.Current != nil && low > 1.25*float64(*s.Current) { // within a quarter it is the same delay
		s.Verdict = Raise
	} else if s.Current != nil && high < float64(*s.Current)/1.25 && s.Effect.WaitS <= 0 { // to end sooner, but wait longer, is no gain
		s.Verdict = Lower
	}
	s.delaysReason(at, low, high, &paused)
	return s, true
}

// observeHorizon counts the incidents that recovered, and those of them that did
// so within the horizon; a quarter above it is the same.
func observeHorizon(s *Suggestion, c Cell) (seen tally) {
	of := c.chains()
	for i := range of {
		chain := &of[i]
		if !chain.Won {
			continue
		}
		if _, last, ok := chain.recovers(); ok {
			seen.n++
			if last <= sameValue*float64(*s.Suggested) {
				seen.won++
			}
		}
	}
	return seen
}

// recovers returns when the chain recovered, and when its last retry was.
func (c *Chain) recovers() (x interval, last float64, ok bool) {
	if c.Retries == 0 {
		return x, 0, false
	}
	before := 0.0 // when the retry before the last one was
	if n := len(c.At); n > 1 {
		before, last = c.At[n-2], c.At[n-1]
	} else if n == 1 {
		last = c.At[0]
	} else {
		for i := range c.Cost {
			if !c.Cost[i].Known {
				return x, 0, false
			}
			before, last = last, last+c.Cost[i].Seconds
		}
	}
	if !c.Won {
		return interval{last, math.Inf(1)}, last, true
	}
	return interval{before, last}, last, true
}

func (s *Suggestion) delaysReason(at curve, low, high float64, paused *pauses) {
	var waits, waitsJA []string
	for _, w := range s.Values {
		waits, waitsJA = append(waits, seconds(w)), append(waitsJA, secondsJA(w))
	}
	told, toldJA, each := waits[0], waitsJA[0], "varied"
	if last := len(waits) - 1; last > 0 {
		told, toldJA, each = strings.Join(waits[:last], ", ")+" and "+waits[last], strings.Join(waitsJA, "、")+"の順に", "each varied"
	}
	s.Reason = Text{
		EN: fmt.Sprintf("Half of those that recover have done so after %s, eight in ten after %s, 95%% after %s (likely between %s and %s).",
			seconds(at.reaches(0.5)), seconds(at.reaches(0.8)), seconds(at.reaches(0.95)), seconds(low), seconds(high)),
		JA: fmt.Sprintf("回復した件の半数は%s、8割は%s、95%%は%s（おそらく%s〜%sの間）までに回復。",
			secondsJA(at.reaches(0.5)), secondsJA(at.reaches(0.8)), secondsJA(at.reaches(0.95)), secondsJA(low), secondsJA(high)),
	}
	switch {
	case s.Verdict == Keep && s.Current != nil:
		s.Reason.EN += fmt.Sprintf(" Today the last retry comes after %d s, which is not clearly too early or worth cutting: keep the waits.", *s.Current)
		s.Reason.JA += fmt.Sprintf("現在、最後のリトライは%d秒後です。早すぎるとも、短縮する価値があるとも言えないため、待ち時間はそのままとします。", *s.Current)
	case s.Verdict == Keep:
		s.Reason.EN += " All that were retried recovered: keep the waits."
		s.Reason.JA += "リトライした件はすべて回復しているため、待ち時間はそのままとします。"
	default:
		s.Reason.EN += fmt.Sprintf(" Wait %s, %s a little at random, then stop. Today the last retry comes after %d s.", told, each, *s.Current)
		s.Reason.JA += fmt.Sprintf("%s（毎回少しずらして）待ち、その後は打ち切ります。現在、最後のリトライは%d秒後です。", toldJA, *s.Current)
	}
	if run := paused.run(); run > 0 {
		s.Reason.EN += fmt.Sprintf(" A retry itself takes %s.", seconds(run))
		s.Reason.JA += fmt.Sprintf("リトライ自体には%sかかります。", secondsJA(run))
	}
	if asked := len(paused.asked); asked > 0 && s.Verdict == Keep {
		s.Reason.EN += fmt.Sprintf(" Retry-After, which %d incidents carried, holds beside them.", asked)
		s.Reason.JA += fmt.Sprintf("ただし、%d件にあったRetry-Afterには従います。", asked)
	} else if asked > 0 {
		s.Reason.EN += fmt.Sprintf(" The waits respect Retry-After, which %d incidents carried.", asked)
		s.Reason.JA += fmt.Sprintf("待ち時間は%d件のRetry-Afterに従います。", asked)
	}
}
