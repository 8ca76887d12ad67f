package analyze

import (
	"fmt"
	"math"
)

// suggest asks the tuner about a cell. A change whose own replay shows no gain is
// not made, whatever the counts say.
func (t *Tuner) suggest(c Cell, o TuneOptions) (Suggestion, bool) {
	s, ok := t.Suggest(c, o)
	s.Knob = t.Knob
	if ok && s.Verdict != TooLittleData && len(s.Evidence) > 0 && (s.Knob == timeoutName || s.Knob == callDepthName) {
		p := s.chanceOfEnds(&c, o)
		s.P = &p
	}
	if ok && s.isChange() && !s.asked {
		switch {
		case !s.gains(o):
			s.stay()
		case t.Knob == maxRetriesKnob && !s.moves():
			s.moveNothing()
		}
	}
	return s, ok
}

// leastMoved is the least that a limit of retries must change in a span as long:
// of what comes three times on average one span in twenty has none (e⁻³ = 5 %, the
// rule of three: Hanley and Lippman-Hand 1983), and of less nobody could tell
// afterwards whether it came true.
const leastMoved = 3

// moves reports whether a limit changes enough: incidents that are resolved, or
// retries that are left out.
func (s *Suggestion) moves() bool {
	return math.Abs(s.Effect.Resolved) >= leastMoved || s.Effect.Retries <= -leastMoved
}

// gains reports whether the recorded incidents under a change are worth more
// than as they were, or worth as much with fewer retries: a threshold that gives
// up on what is past hope also gives up on what a cheap retry resolves now and
// then.
func (s *Suggestion) gains(o TuneOptions) bool {
	gain := s.gain(o)
	return gain > 0 || gain == 0 && s.Effect.Retries < 0
}

// moveNothing keeps a limit whose change nobody would see, and says so.
func (s *Suggestion) moveNothing() {
	better, now, e := s.inWords(s.Suggested), s.present(), &s.Effect
	told := []any{capital(better.EN), now.EN, fmt.Sprintf("%+g", math.Round(10*e.Resolved)/10), e.Retries, leastMoved}
	s.Reason.EN = fmt.Sprintf("%s looked better than %s, but would change next to nothing: %s resolved, %+.0f retries in the recorded incidents. What comes fewer than %d times in such a span may not come at all, so that nobody could tell whether it was right. Nothing changes.", told...)
	told[0], told[1] = better.JA, now.JA
	s.Reason.JA = fmt.Sprintf("%[2]sより%[1]sのほうが良さそうですが、記録されたインシデントでの効果はごくわずかです（解決%[3]s件、リトライ%+.0[4]f回）。同じ長さの期間に%[5]d件未満の効果は、1件も現れないことがあり、正しかったかどうかを確かめられません。現在の値を維持します。", told...)
	s.tellMixKept()
	s.keepCurrent()
}

// keepCurrent makes the suggestion one to keep what is in force.
func (s *Suggestion) keepCurrent() {
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}

// stay keeps what is in force where a change would gain nothing, and says so.
func (s *Suggestion) stay() {
	better, now := s.inWords(s.Suggested), s.present()
	e := &s.Effect
	told := []any{capital(better.EN), now.EN, fmt.Sprintf("%+g", math.Round(10*e.Resolved)/10), e.Retries, e.WaitS}
	s.Reason.EN = fmt.Sprintf("%s looked better than %s, but the recorded incidents replayed under it show no gain that is worth it: %s resolved, %+.0f retries, %+.0f s. Nothing changes.", told...)
	told[0], told[1] = better.JA, now.JA
	s.Reason.JA = fmt.Sprintf("%[2]sより%[1]sのほうが良さそうに見えますが、記録されたインシデントをその値で再現しても、見合う効果はありません（解決%[3]s件、リトライ%+.0[4]f回、所要時間%+.0[5]f秒）。現在の値を維持します。", told...)
	s.tellMixKept()
	if e.Calls != 0 {
		s.Reason.EN += fmt.Sprintf(" Calls of turns: %+.0f.", e.Calls)
		s.Reason.JA += fmt.Sprintf("ターン内の呼び出しは%+.0f回の差です。", e.Calls)
	}
	s.keepCurrent()
}
