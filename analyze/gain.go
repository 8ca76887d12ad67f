package analyze

import "fmt"

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
	lost := []any{better.EN, now.EN, e.Resolved, e.Retries, e.WaitS}
	s.Reason.EN = fmt.Sprintf("By the counts alone %s would be better than %s, but the recorded incidents replayed under it show no gain that is worth it: resolved %+.3g, retries %+.3g, seconds %+.3g. So nothing changes.", lost...)
	lost[0], lost[1] = better.JA, now.JA
	s.Reason.JA = fmt.Sprintf("件数だけを見れば%[2]sより%[1]sのほうが良さそうですが、記録されたインシデントをその値で再現しても、見合う効果はありません（解決%+.3[3]g件、リトライ%+.3[4]g回、所要時間%+.3[5]g秒）。現在の値を維持します。", lost...)
	s.Verdict, s.Suggested, s.Values, s.Extrapolated, s.Effect, s.Prediction = Keep, s.Current, nil, false, Effect{}, nil
}
