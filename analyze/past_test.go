package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"

	"hansei/queries"
)

// A limit that came down because the retries behind it were in vain is not
// raised again because nobody makes them any more.
func TestPastRetriesSpeak(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	o := TuneOptions{Worth: DefaultWorth}
	now := chains(800, 2, []float64{0.4, 0.2}, 20, r)
	for _, test := range []struct {
		name    string
		before  []float64 // hazards
		verdict Verdict
		says    string
	}{
		{"nobody went so far", nil, Raise, ""},
		{"in vain", []float64{0.4, 0.2, 0, 0}, Keep, "When retry 3 was still made, it resolved 0 of "},
		{"not in vain", []float64{0.4, 0.2, 0.2, 0.1}, Raise, "When retry 3 was still made, it resolved "},
	} {
		c := Cell{laid: now}
		if test.before != nil {
			was, _ := maxRetries.suggest(Cell{laid: chains(800, 4, test.before, 20, r)}, o)
			c.Past = pastOf([]kept{{Suggestion: queries.Suggestion{To: january().To}, suggestion: was}}, nil, queries.Span{From: january().To, To: january().To.AddDate(0, 1, 0)})[c.Scope]
		}
		s, _ := suggestMaxRetries(c, o)
		if s.Verdict != test.verdict || test.says == "" && strings.Contains(s.Reason.EN, "still made") || !strings.Contains(s.Reason.EN, test.says) {
			t.Errorf("%s: %s: %s", test.name, s.Verdict, s.Reason.EN)
		}
	}

	both := spread(append(chains(800, 4, []float64{0.4, 0.2, 0, 0}, 20, r), now...)) // the limit changed within the span
	v := viewOf(Cell{laid: both})
	if s, _ := v.ask(maxRetries, o); s.Verdict != Keep || s.Earlier == nil || s.Earlier.Verdict != Lower {
		t.Errorf("%s: %s", s.Verdict, s.Reason.EN)
	}
}

// What is known of a retry is what the latest span before told of it, whether
// its suggestion was decided on or not; never what this span tells itself.
func TestPastOf(t *testing.T) {
	span := queries.Span{From: january().To, To: january().To.AddDate(0, 1, 0)}
	tells := func(won ...int) Suggestion {
		s := Suggestion{Knob: maxRetriesKnob}
		for _, n := range won {
			s.Evidence = append(s.Evidence, Evidence{Won: n, AtRisk: 100})
		}
		return s
	}
	here := tells(7, 7)
	here.Due = span.To.Add(span.To.Sub(span.From))
	stop := tells(8, 8)
	stop.Knob = stopAfterName
	got := pastOf([]kept{
		{Suggestion: queries.Suggestion{To: january().From}, suggestion: tells(3, 2, 1)},
		{Suggestion: queries.Suggestion{To: january().To}, suggestion: tells(6, 5)},
		{Suggestion: queries.Suggestion{To: span.To}, suggestion: here},
		{Suggestion: queries.Suggestion{To: january().To}, suggestion: stop},
	}, []decided{{suggestion: tells(9, 9, 9, 4)}, {suggestion: here}}, span)[Scope{}]
	want := []int{6, 5, 1, 4}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i].Won != want[i] {
			t.Errorf("retry %d: %+v, want %d won", i+1, got[i], want[i])
		}
	}
}
