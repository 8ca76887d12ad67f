package analyze

import (
	"fmt"
	"slices"
	"time"
)

// A pile is calls that timed out after nearly the same time: the limit that was
// in force. The timeouts of a server, or of many places, spread instead.
type pile struct {
	at          float64 // seconds: half of them took no longer
	end         float64 // seconds: nothing passes behind it
	calls       int
	first, last time.Time
}

const (
	// sameLength is how much longer than the shortest call of a pile its longest
	// one may take: a caller notices its limit late by a twentieth at most.
	sameLength = 1.05
	// pileShare is the least share of the calls timed out since a pile began that
	// belong to it. Of lengths that spread by half (lognormal, σ = 0.4) 5 % lie so
	// close to each other, of those that are alike within a tenth 17 %.
	pileShare = 0.5
	// newShare is the least share that a pile has of all that timed out in the
	// span: one in ten, or a limit is too new to be told.
	newShare = 0.1
)

// limitOf finds the limit in force at the end of the span, in durations that come
// in their order: the largest pile, or one that began when that had ended, where
// the limit changed. False: no limit is to be seen.
func limitOf(of []Duration) (limit pile, ok bool) {
	var found []pile
	for _, p := range piles(of) {
		if p.holds(of) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return pile{}, false
	}
	slices.SortStableFunc(found, func(a, b pile) int { return b.calls - a.calls })
	for _, p := range found {
		if !ok || p.first.After(limit.last) {
			limit, ok = p, true
		}
	}
	return limit, true
}

// piles are the timed out calls that took nearly the same time, each as many as
// there are, where they are not too few.
func piles(of []Duration) (out []pile) {
	var cuts []Duration
	all := 0
	for _, d := range of {
		if d.timedOut() && d.Seconds > 0 {
			cuts = append(cuts, d)
			all += d.Calls
		}
	}
	calls, end, before := 0, 0, 0
	for i, d := range cuts {
		for end < len(cuts) && cuts[end].Seconds <= d.Seconds*sameLength {
			calls += cuts[end].Calls
			end++
		}
		if end > before && calls >= minOwn && float64(calls) >= newShare*float64(all) {
			out = append(out, pileOf(cuts[i:end], calls))
		}
		before = end
		calls -= d.Calls
	}
	return out
}

func pileOf(cuts []Duration, calls int) pile {
	p := pile{end: cuts[0].Seconds * sameLength, calls: calls, first: cuts[0].First, last: cuts[0].Last}
	left := (calls + 1) / 2
	for _, d := range cuts {
		if left > 0 {
			p.at = d.Seconds
		}
		left -= d.Calls
		if d.First.Before(p.first) {
			p.first = d.First
		}
		if d.Last.After(p.last) {
			p.last = d.Last
		}
	}
	return p
}

// holds reports whether a pile is a limit: since it began most that timed out did
// so there, and hardly a call passed that took longer.
func (p *pile) holds(of []Duration) bool {
	cut, beyond := 0, 0
	for _, d := range of {
		switch {
		case d.Last.Before(p.first):
		case d.timedOut():
			cut += d.Calls
		case d.Passed && d.Seconds > p.end:
			beyond += d.Calls
		}
	}
	return float64(p.calls) >= pileShare*float64(cut) && float64(beyond) <= hopeless*float64(p.calls)
}

func (d *Duration) timedOut() bool { return !d.Passed && !d.Failed }

// noLimit explains why nothing is said about the timeout of calls of which some
// timed out.
func noLimit(calls []Duration) Text {
	n, shortest, longest := 0, -1.0, 0.0
	for _, d := range calls {
		if d.timedOut() {
			n += d.Calls
			longest = d.Seconds
			if shortest < 0 {
				shortest = d.Seconds
			}
		}
	}
	if n < minOwn {
		return Text{
			EN: fmt.Sprintf("Calls that timed out: %d, too few to tell which limit cut them off.", n),
			JA: fmt.Sprintf("タイムアウトは%d件のみで、どの制限時間で打ち切られたのか判断できません。", n),
		}
	}
	return Text{
		EN: fmt.Sprintf("The %d calls that timed out did so anywhere from %s to %s: there is no one length at which most of them end and beyond which hardly a call passes. So the record tells neither this operation's limit nor a better one.", n, seconds(shortest), seconds(longest)),
		JA: fmt.Sprintf("タイムアウトした%d件の所要時間は%s〜%sとばらついており、大半がそこで打ち切られ、それを超える成功がほとんどないような時間は見当たりません。この操作の制限時間も、より良い値も、記録からは分かりません。", n, secondsJA(shortest), secondsJA(longest)),
	}
}
