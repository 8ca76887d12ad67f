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
	if ok && s.isChange() && !s.asked && !s.gains(o) {
		s.stay()
	}
	return s, ok
}

// gains reports whether the recorded incidents under a change are worth more
// than as they were, or worth as much with fewer retries: a threshold that gives
// up on what is past hope also gives up on what a cheap retry resolves now and
// then.
func (s *Suggestion) gains(o TuneOptions) bool {
	gain := s.gain(o)
	return gain > 0 || gain == 0 && s.Effect.Retries < 0
}

// stay keeps what is in force where a change would gain nothing, and says so.
func (s *Suggestion) stay() {
	better, now := s.inWords(s.Suggested), s.inWords(s.Current)
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
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}
