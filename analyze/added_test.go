package analyze

import "testing"

// Where nothing is retried nobody sees whether it was right; what was taken back
// is in force no more.
func TestRetryingNothingIsNotSeen(t *testing.T) {
	for _, s := range []Suggestion{{Knob: maxRetriesKnob, Suggested: number(0)}, {Knob: stopAfterName, Suggested: number(1)}} {
		if got := new(Outcome).verdict(&s, tally{0, 400}); got != Unseen {
			t.Errorf("%s: %s", s.Knob, got)
		}
		back := Outcome{Back: &TakenBack{}}
		if got := back.verdict(&s, tally{0, 400}); got != RolledBack {
			t.Errorf("%s, taken back: %s", s.Knob, got)
		}
	}
}
