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
	if ok && s.isChange() && !s.gains(o) {
		s.stay()
	}
	return s, ok
}

// gains reports whether the effect of a change is what the change promises: more
// is resolved, or fewer retries are made, or, where a threshold comes down, less
// time is spent. Of a timeout the calls that pass must be worth the time that all
// of them run. What a change of score_bar or call_depth saves, its effect does
// not tell.
func (s *Suggestion) gains(o TuneOptions) bool {
	e := &s.Effect
	switch s.Knob {
	case scoreBarName, callDepthName:
		return true
	case timeoutName:
		return s.gain(o) > 0
	}
	return e.Resolved > 0 || e.Retries < 0 || s.Verdict == Lower && e.WaitS < 0
}

// stay keeps what is in force where a change would gain nothing, and says so.
func (s *Suggestion) stay() {
	better, now := Quantity(s.Knob, s.Suggested), Quantity(s.Knob, s.Current)
	e := &s.Effect
	told := []any{better.EN, now.EN, fmt.Sprintf("%+g", math.Round(10*e.Resolved)/10), e.Retries, e.WaitS}
	s.Reason.EN = fmt.Sprintf("%s looked better than %s, but the recorded incidents replayed under it show no gain that is worth it: %s resolved, %+.0f retries, %+.0f s. Nothing changes.", told...)
	told[0], told[1] = better.JA, now.JA
	s.Reason.JA = fmt.Sprintf("%[2]sより%[1]sのほうが良さそうに見えますが、記録されたインシデントをその値で再現しても、見合う効果はありません（解決%[3]s件、リトライ%+.0[4]f回、所要時間%+.0[5]f秒）。現在の値を維持します。", told...)
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}
