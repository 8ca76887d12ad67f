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
	held := []Suggestion{
		{ID: "r", Knob: maxRetriesKnob, Current: number(5), Suggested: number(5), Verdict: Keep, Withheld: true, wanted: number(1)},
		{ID: "s", Knob: stopAfterName, Current: number(6), Suggested: number(2), Verdict: Lower},
		{ID: "b", Scope: Scope{Agent: "b"}, Knob: maxRetriesKnob, Current: number(2), Suggested: number(2), Verdict: Keep, Withheld: true, wanted: number(3)},
		{ID: "t", Scope: Scope{Agent: "b"}, Knob: stopAfterName, Current: number(3), Suggested: number(2), Verdict: Lower},
		{ID: "q", Scope: Scope{Agent: "c"}, Knob: maxRetriesKnob, Current: number(3), Suggested: number(1), Verdict: Lower},
		{ID: "u", Scope: Scope{Agent: "c"}, Knob: scoreBarName, Current: number(70), Suggested: number(70), Verdict: Lower, Values: []float64{55}},
	}
	sameWaste(held)
	if s := &held[1]; s.Within != "" || !strings.Contains(s.Reason.EN, "max_retries (r) is held back") {
		t.Errorf("%q: %s", s.Within, s.Reason.EN)
	}
	if held[3].Reason.EN != "" || held[5].Within != "q" {
		t.Errorf("%+v\n%+v", held[3], held[5])
	}
	storm := []Suggestion{
		{ID: "b", Scope: Scope{Agent: "a"}, Knob: retryBudgetName, Suggested: number(9), Verdict: Lower},
		{ID: "r", Scope: Scope{Agent: "a", Operation: "x"}, Knob: maxRetriesKnob, Current: number(3), Suggested: number(1), Verdict: Lower, Effect: Effect{Retries: -600}},
		{ID: "q", Scope: Scope{Agent: "a", Operation: "y"}, Knob: maxRetriesKnob, Current: number(3), Suggested: number(1), Verdict: Lower, Effect: Effect{Retries: -20}},
		{ID: "o", Scope: Scope{Agent: "other"}, Knob: retryBudgetName, Suggested: number(9), Verdict: Lower},
	}
	sameWaste(storm)
	if s := &storm[0]; s.Within != "r" || !strings.Contains(s.Reason.EN, "max_retries (r)") || !strings.Contains(s.Reason.JA, "足し合わせ") {
		t.Errorf("%q: %s", s.Within, s.Reason.EN)
	}
	if !strings.Contains(storm[1].Reason.EN, "retry_budget (b)") || storm[1].Within != "" || storm[2].Reason.EN != "" || storm[3].Within != "" {
		t.Errorf("%+v", storm)
	}
}

// Where work that is close to the bar passes and other work never does, to stop by
// the score gains more than any limit of the iterations, which is left as it is
// until somebody says that the agent cannot.
func TestScoreBeforeLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(123, 124))
	scope := Scope{Agent: "a", Operation: "review", Category: "quality_gate"}
	var of []Chain
	for range 600 {
		c := Chain{Bar: 70, Cap: 4, Scores: []float64{40 + 28*r.Float64()}}
		for score := c.Scores[0]; c.Retries < 4 && !c.Won; c.Won = score >= 70 {
			if score >= 60 {
				score += 6 + 3*r.NormFloat64()
			} else {
				score += r.NormFloat64()
			}
			c.Retries++
			c.Scores, c.Cost = append(c.Scores, score), append(c.Cost, Price{Seconds: 120, Known: true})
		}
		c.Lost = !c.Won
		of = append(of, c)
	}
	ask := func(o TuneOptions) map[string]Suggestion {
		by := map[string]Suggestion{}
		for _, s := range tune([]Cell{{Scope: scope, laid: spread(of)}}, &oddities{}, january(), o).Suggestions {
			by[s.Knob] = s
		}
		return by
	}
	by := ask(TuneOptions{})
	if s := by[scoreBarName]; s.Verdict != Lower || s.Effect.Resolved > 0 {
		t.Fatalf("%+v", s)
	}
	for _, knob := range []string{maxRetriesKnob, stopAfterName} {
		if s := by[knob]; s.Verdict == Lower || s.Verdict == Raise {
			t.Errorf("%s: %s to %d: %s", knob, s.Verdict, *s.Suggested, s.Reason.EN)
		}
	}
	if s := by[maxRetriesKnob]; !strings.Contains(s.Reason.EN, by[scoreBarName].ID) || !strings.Contains(s.Reason.JA, "点数で止められない") {
		t.Errorf("%s", s.Reason.EN)
	}
	if s := ask(TuneOptions{Knobs: []string{maxRetriesKnob}})[maxRetriesKnob]; s.Verdict != Lower {
		t.Errorf("the limit alone: %s", s.Reason.EN)
	}
}
