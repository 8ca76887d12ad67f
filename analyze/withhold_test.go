package analyze

import "testing"

// TestWithholdWithoutCurrent wants a change that chance could have made to be
// withheld where no value is in force, too.
func TestWithholdWithoutCurrent(t *testing.T) {
	p, suggested := 0.4, int64(2)
	all := []Suggestion{{Knob: "max_retries", Verdict: Lower, Suggested: &suggested, P: &p}}
	if n := withhold(all); n != 1 || all[0].Verdict != Keep || all[0].Suggested != nil || !all[0].Withheld {
		t.Errorf("%d withheld: %+v", n, all[0])
	}
}
