package analyze

import (
	"fmt"
	"math"
	"slices"
)

// A haste is what retries tell that came before the server wanted them. It said how
// long to wait (Retry-After: RFC 9110, section 10.2.3), so that those are no evidence
// of what a retry at the right time brings: they may neither set a limit nor speak
// against one.
type haste struct {
	retried int       // incidents
	hasty   int       // of them, with a retry that came too soon
	asked   []float64 // seconds that the server asked these to wait
	early   int       // retries of these that came too soon
	made    int       // retries of these
	right   tally     // of these the first retry that came in time, and whether it won
}

// inTimeShare is the least part of the wait asked for that counts as having waited:
// clocks and timers are late by a twentieth at most (see sameLength).
const inTimeShare = 0.95

// early is how many retries began before the time that the server asked for was
// over. A wait that is worth more than a resolution nobody has to sit out.
func (c *Chain) early(worth float64) (n int) {
	if c.After <= 0 || c.After >= worth {
		return 0
	}
	for k := range c.Cost {
		began := c.when(k)
		if p := &c.Cost[k]; p.Known {
			began -= max(0, p.Seconds-p.Waited)
		}
		if began >= inTimeShare*c.After {
			break
		}
		n++
	}
	return n
}

func hasteOf(of []Chain, worth float64) (h haste) {
	for i := range of {
		c := &of[i]
		if c.Retries == 0 {
			continue
		}
		h.retried++
		early := c.early(worth)
		if early == 0 {
			continue
		}
		h.hasty++
		h.early += early
		h.made += c.Retries
		h.asked = append(h.asked, c.After)
		if early < c.Retries {
			h.right.n++
			if c.Won && c.Retries == early+1 {
				h.right.won++
			}
		}
	}
	return h
}

// rules reports whether so many incidents were tried too soon that the others do
// not speak for the cell: a share that would be a limit of its own, see minShare.
func (h *haste) rules() bool {
	return h.hasty >= minOwn && float64(h.hasty) >= minShare*float64(h.retried)
}

// patient leaves out the incidents that were tried too soon, where these are few.
func (c Cell) patient(worth float64) (Cell, haste) {
	h := hasteOf(c.sighted(), worth)
	if h.hasty == 0 || h.rules() {
		return c, h
	}
	return c.of(unhurried(c.chains(), worth)), h
}

// unhurried are the chains without those that were tried too soon.
func unhurried(of []Chain, worth float64) []Chain {
	return slices.DeleteFunc(slices.Clone(of), func(c Chain) bool { return c.early(worth) > 0 })
}

// wait is the wait that would have been long enough for all but minShare of them.
func (h *haste) wait() float64 { return twoDigits(quantile(slices.Clone(h.asked), 1-minShare)) }

// tooSoon says that nothing is said of how often to try, because the tries came too soon.
func (s *Suggestion) tooSoon(h *haste) {
	s.Verdict, s.Suggested, s.Needed = TooLittleData, nil, max(1, minIncidents-(h.retried-h.hasty))
	s.Reason = h.words()
	if h.right.n == 0 {
		s.Reason.EN += " None came later, so they tell nothing of a retry at the right time, neither for it nor against it."
		s.Reason.JA += "それ以降のリトライは1回もなく、適切な時点でリトライした場合の効果は、良いとも悪いとも分かりません。"
	} else {
		s.Reason.EN += fmt.Sprintf(" They tell nothing of a retry at the right time. Of %d incidents that were still tried then, %d were resolved by that retry.", h.right.n, h.right.won)
		s.Reason.JA += fmt.Sprintf("これらからは適切な時点でリトライした場合の効果は分かりません。その時点以降にもリトライした%d件では、最初の1回で%d件が解決しています。", h.right.n, h.right.won)
	}
	s.Reason.EN += " Wait as long as the server asks, and look again."
	s.Reason.JA += "まずサーバーの指定どおりに待ち、その後に改めて判断してください。"
}

// words tell what was asked for, and what was done.
func (h *haste) words() Text {
	asked := quantile(slices.Clone(h.asked), 0.5)
	return Text{
		EN: fmt.Sprintf("The server asked %d incidents to wait (Retry-After, half of them %s or more), but %d of their %d retries came sooner.", h.hasty, seconds(asked), h.early, h.made),
		JA: fmt.Sprintf("サーバーは%d件で待機を求めていました（Retry-After、半数は%s以上）が、リトライ%d回のうち%d回はそれより前に行われました。", h.hasty, secondsJA(asked), h.made, h.early),
	}
}

// waitAsAsked proposes the wait that the server asks for. What it brings no record
// tells: it is a rule, not a finding.
func (s *Suggestion) waitAsAsked(h *haste, w *waited) {
	wait := h.wait()
	retries := 1
	if n := len(w.tried); n > 0 {
		retries = int(nth(w.tried, n/2))
	}
	s.Verdict, s.Values, s.Extrapolated, s.asked = Raise, []float64{wait}, true, true
	s.P, s.Needed, s.Effect, s.Prediction = nil, 0, Effect{}, nil // nothing was tested
	s.Suggested = number(int(math.Ceil(w.paused.last(s.Values, retries))))
	s.Reason = h.words()
	s.Reason.EN += fmt.Sprintf(" Wait at least %s, and longer where Retry-After says so, varied a little upwards at random. What that brings is not in the record.", seconds(wait))
	s.Reason.JA += fmt.Sprintf("少なくとも%s（Retry-Afterがそれより長ければその時間）待ち、毎回少し長めにずらしてください。その効果は記録からは分かりません。", secondsJA(wait))
}

// tellPatient tells how many incidents were left out because they were tried too soon.
func (s *Suggestion) tellPatient(h *haste) {
	if h.hasty > 0 {
		s.Reason.EN += fmt.Sprintf(" Left out are %d incidents that were tried again before the time that the server asked for (Retry-After).", h.hasty)
		s.Reason.JA += fmt.Sprintf("サーバーが求めた時間（Retry-After）より前にリトライした%d件は除外しました。", h.hasty)
	}
}
