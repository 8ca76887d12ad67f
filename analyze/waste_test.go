package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Two thresholds that leave out the same retries say so once, the looser one: who
// adds up both effects would count them twice.
func TestSameWaste(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "auth"}, laid: spread(chains(200, 3, nil, 60, r))}
	by := map[string]Suggestion{}
	for _, s := range tune([]Cell{c}, &oddities{}, january(), TuneOptions{}).Suggestions {
		by[s.Knob] = s
	}
	retries, stop := by[maxRetriesKnob], by[stopAfterName]
	if retries.Verdict != Lower || *retries.Suggested != 0 || stop.Verdict != Lower || *stop.Suggested != 1 {
		t.Fatalf("%+v\n%+v", retries, stop)
	}
	if retries.Within != "" || stop.Within != retries.ID || !strings.Contains(stop.Reason.EN, retries.ID) || !strings.Contains(stop.Reason.JA, "足し合わせ") {
		t.Errorf("%q, %q: %s", retries.Within, stop.Within, stop.Reason.EN)
	}
	for _, test := range []struct {
		retries, stop int64
		verdict       Verdict // of stop_after
		within        [2]string
	}{
		{2, 3, Lower, [2]string{"", "r"}},
		{2, 2, Lower, [2]string{"s", ""}}, // one retry less
		{2, 2, Keep, [2]string{}},
	} {
		of := []Suggestion{
			{ID: "r", Knob: maxRetriesKnob, Current: number(5), Suggested: &test.retries, Verdict: Lower},
			{ID: "s", Knob: stopAfterName, Current: number(6), Suggested: &test.stop, Verdict: test.verdict},
			{ID: "other", Scope: Scope{Agent: "b"}, Knob: stopAfterName, Current: number(6), Suggested: &test.stop, Verdict: Lower},
		}
		sameWaste(of)
		if of[0].Within != test.within[0] || of[1].Within != test.within[1] || of[2].Within != "" {
			t.Errorf("%+v: %q, %q, %q", test, of[0].Within, of[1].Within, of[2].Within)
		}
	}
	part := []Suggestion{
		{ID: "q", Knob: maxRetriesKnob, Current: number(3), Suggested: number(1), Verdict: Lower},
		{ID: "u", Knob: scoreBarName, Current: number(70), Suggested: number(70), Verdict: Lower, Values: []float64{55}},
	}
	if sameWaste(part); part[1].Within != "q" {
		t.Errorf("%+v", part[1])
	}
}
