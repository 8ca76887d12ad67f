package analyze

import (
	"fmt"
	"math"
)

// delays proposes how long to wait before each retry.
//
// What counts is the time since the first failure, not the number of tries: an
// incident that passed at retry k recovered between retry k−1 and k (interval-
// censored), one that was given up has not recovered by its last retry (right-
// censored). The curve of all (see recovery) tells when those recovered that did
// under the waits in force. How many of the others would have, and when, no record
// tells: behind its last recovery the curve is not identified, so that its
// quantiles are not asked for, and no longer waits are suggested. From when those
// recovered that did come up to three waits that reach its 50, 80 and 95 % points,
// no more of them than the cell may retry (see pauses); the last holds for further
// retries. Where times are missing or clocks differ, the waits and durations that
// were reported are added up. What the server asked for (Retry-After, where events
// carry it as the attribute retry_after) is a least wait. Add jitter: a random
// share of each wait, so that agents do not come back together.
//
// Shorter waits give up the recoveries that come later. The recorded incidents
// are replayed under them (see rewait), and the waits are suggested where what they
// save is worth more than what they may lose (see losses), with 95 % confidence;
// false discovery control goes by the chance that it is not.
var delays = Tuner{Knob: delaysKnob, Suggest: suggestDelays, Beside: true, Observe: observeRetries}

const delaysKnob = "delays"

// recoveryPoints are the shares of the recoveries that the waits reach before as
// many retries; of more retries they are those of the last.
var recoveryPoints = [][]float64{{0.95}, {0.5, 0.95}, {0.5, 0.8, 0.95}}

// pointsOf returns the shares that the waits of a cell reach: no more than its
// retries, or than any made where nobody tells how many it may make.
func (c *Cell) pointsOf() []float64 {
	most := len(recoveryPoints)
	cap := c.longestCap()
	if cap < 0 { // nobody tells it
		cap = c.count().sighted().longest()
	}
	if cap > 0 {
		most = min(most, cap)
	}
	return recoveryPoints[most-1]
}

// longestCap is the cap in force, or the largest that a good share of the incidents
// carries: one list of waits serves all of them, and these go furthest in it.
func (c *Cell) longestCap() int {
	cap := c.cap()
	for _, of := range c.count().caps.beside(cap) {
		cap = max(cap, of.cap)
	}
	return cap
}

func suggestDelays(c Cell, o TuneOptions) (Suggestion, bool) {
	s, ok := waitsOf(c, o)
	if h := hasteOf(c.sighted(), o.Worth.Seconds()); h.rules() {
		w := waitedOf(c.sighted(), c.longestCap())
		s.waitAsAsked(&h, &w)
		return s, true
	}
	if s.Verdict == Keep { // what the curve asks for is no suggestion
		s.Values, s.Effect, s.Extrapolated, s.Suggested = nil, Effect{}, false, s.Current
		seen := c.count().sighted().retried()
		s.Prediction = predict(seen.won, seen.n)
	}
	return s, ok
}

// waitsOf is suggestDelays with what the curve asks for, whether that is clearly
// another wait or not.
func waitsOf(c Cell, o TuneOptions) (Suggestion, bool) {
	of := c.sighted()
	limit := c.longestCap()
	w := waitedOf(of, limit)
	s := Suggestion{Verdict: TooLittleData, N: w.n, Evidence: []Evidence{}}
	if n := len(w.lost); n > 0 {
		s.Current = number(int(math.Round(nth(w.lost, n/2))))
	}
	recovered := len(w.recovered)
	if recovered < minIncidents {
		s.Needed = minIncidents - recovered
		s.Reason = Text{
			EN: fmt.Sprintf("Incidents that recovered after a known wait: %d; %d more are needed to say how long to wait.", recovered, s.Needed),
			JA: fmt.Sprintf("待ち時間が分かる回復は%d件のみ。待ち時間の提案にはあと%d件が必要です。", recovered, s.Needed),
		}
		return s, recovered > 0
	}
	sorted := sortOf(w.times)
	mass := sorted.settle()
	at := sorted.curve(sorted.seen(mass))
	var points []float64
	for _, share := range c.pointsOf() {
		points = append(points, at.reaches(share))
	}
	s.Verdict, s.Values = Keep, w.paused.between(points)
	retries := len(s.Values)
	if n := len(w.tried); n > 0 {
		retries = int(nth(w.tried, n/2))
	}
	s.Suggested = number(int(math.Ceil(w.paused.last(s.Values, retries))))
	if none := 1.0; s.Current != nil {
		s.P = &none
	}
	if s.shorter() {
		s.weighWaits(of, w.experience(sorted.curve(mass), c.hazards(o), c.cap()), o, c.weighing(&s, &w))
	}
	s.delaysReason(&w, retries)
	s.tellWaitsMix(c.count().caps, limit)
	return s, true
}

// weighing is what the waits of s are weighed by.
func (c *Cell) weighing(s *Suggestion, w *waited) weighing {
	longest := c.longestCap()
	by := weighing{limits: []int{longest}, ends: []float64{float64(*s.Suggested)}, wrong: c.Wrong[delaysKnob]}
	for _, of := range c.count().caps.beside(longest) {
		if of.cap > 0 {
			by.limits, by.ends = append(by.limits, of.cap), append(by.ends, w.paused.last(s.Values, of.cap))
		}
	}
	return by
}

// A waited is what retries tell of waiting.
type waited struct {
	n         int        // incidents that were retried at known times
	times     []interval // in which they recovered
	recovered []interval // of those that did
	first     []float64  // when they were retried first
	// Of those that did not and that made all retries of that limit, when their last
	// retry was, and how many they made; of all that did not where none made so many.
	lost, tried []float64
	paused      pauses
}

// waitedOf reads what chains tell of waiting; cap is their limit, or the longest of
// several, below zero unknown.
func waitedOf(of []Chain, cap int) (w waited) {
	var early waited // lost before their limit, or under another one
	w.times, w.recovered, w.first = make([]interval, 0, len(of)), make([]interval, 0, len(of)), make([]float64, 0, len(of))
	for i := range of {
		chain := &of[i]
		x, last, ok := chain.recovers()
		if !ok {
			continue
		}
		w.n++
		w.times, w.first = append(w.times, x), append(w.first, chain.when(0))
		if chain.Won {
			w.recovered = append(w.recovered, x)
		} else {
			into := &w
			if cap >= 0 && (chain.Retries != cap || chain.Cap >= 0 && chain.Cap != cap) {
				into = &early
			}
			into.lost, into.tried = append(into.lost, last), append(into.tried, float64(chain.Retries))
		}
		w.paused.add(chain)
	}
	if len(w.lost) == 0 {
		w.lost, w.tried = early.lost, early.tried
	}
	return w
}

// shorter reports whether the waits end clearly sooner: within a quarter it is
// the same delay.
func (s *Suggestion) shorter() bool {
	return s.Current != nil && sameValue*float64(*s.Suggested) < float64(*s.Current)
}

// waited reports whether incidents came under the waits: those that nothing
// resolved had their last retry nearer to when it comes under them than to when it
// came before, by their ratio.
func (s *Suggestion) waited(of []Chain, cap int) bool {
	w := waitedOf(of, cap)
	if len(w.lost) == 0 || s.Current == nil {
		return true // nothing tells
	}
	last := nth(w.lost, len(w.lost)/2)
	return last*last <= float64(*s.Current)*float64(*s.Suggested)
}

// oneByOne leaves the waits of a cell as they are while a limit of its retries is
// to come down. Both save what the last retries wait, so that the second saves
// little of it; but with fewer retries shorter waits end sooner still, and may give
// up what neither gives up alone. Where the waits gain more they come first.
func oneByOne(all []Suggestion, o TuneOptions) {
	limits := map[Scope]*Suggestion{}
	for i := range all {
		if s := &all[i]; s.Verdict == Lower && (s.Knob == maxRetriesKnob || s.Knob == stopAfterName) && limits[s.Scope] == nil {
			limits[s.Scope] = s
		}
	}
	for i := range all {
		if s := &all[i]; s.Knob == delaysKnob && s.isChange() && s.Decided == nil && limits[s.Scope] != nil {
			if first := limits[s.Scope]; first.gain(o) >= s.gain(o) {
				s.follow(first)
			} else {
				s.lead(first)
			}
		}
	}
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
