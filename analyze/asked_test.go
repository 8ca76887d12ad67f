package analyze

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"hansei/queries"
)

// askedChains are incidents whose server asks to wait so many seconds, and passes
// from then on in nine of ten; they are retried after these waits.
func askedChains(n int, asked float64, waits []float64, r *rand.Rand) (out []Chain) {
	for range n {
		c := Chain{Cap: len(waits), After: asked}
		up := asked + 4*r.Float64()
		if r.Float64() < 0.1 {
			up = 1e9
		}
		now := 0.0
		for _, w := range waits {
			now += w + 0.5
			c.Retries++
			c.At = append(c.At, now)
			c.Cost = append(c.Cost, Price{Seconds: w + 0.5, Waited: w, Known: true})
			if c.Won = now >= up; c.Won {
				break
			}
		}
		c.Lost = !c.Won
		out = append(out, c)
	}
	return spread(out)
}

// Tries that came before the time that the server asked for say nothing against
// retrying: the limit stays, and the waits are to be as long as it asks.
func TestRetryAfterIsRespected(t *testing.T) {
	r := rand.New(rand.NewPCG(141, 142))
	five := make([]float64, 12)
	for i := range five {
		five[i] = 5
	}
	for _, test := range []struct {
		name  string
		waits []float64
		says  string
	}{
		{"all too soon", []float64{2, 4, 8}, "None came later"},
		{"most too soon", five, "of 600 incidents"},
	} {
		c := Cell{Scope: Scope{Agent: "a"}, laid: askedChains(600, 30, test.waits, r)}
		for _, s := range tune([]Cell{c}, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob, stopAfterName, delaysKnob}}).Suggestions {
			if s.Knob == delaysKnob {
				if s.Verdict != Raise || len(s.Values) != 1 || s.Values[0] != 30 || !strings.Contains(s.Reason.EN, "Wait at least 30 s") {
					t.Errorf("%s: %s %v: %s", test.name, s.Verdict, s.Values, s.Reason.EN)
				}
			} else if s.Verdict != TooLittleData || !strings.Contains(strings.ToLower(s.Reason.EN), strings.ToLower(test.says)) || !strings.HasSuffix(s.Reason.EN, "Wait as long as the server asks, and look again.") {
				t.Errorf("%s: %s %s: %s", test.name, s.Knob, s.Verdict, s.Reason.EN)
			}
			if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
				t.Errorf("%+v", s.Reason)
			}
		}
	}
	for _, waits := range [][]float64{{30, 30, 30}, {29, 5}} { // a timer that is a little early is no haste
		c := Cell{laid: askedChains(400, 30, waits, r)}
		if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Verdict == TooLittleData || strings.Contains(s.Reason.EN, "Left out") {
			t.Errorf("%v: %s: %s", waits, s.Verdict, s.Reason.EN)
		}
	}
	// A few hasty ones are left out, and told.
	c := Cell{laid: spread(append(askedChains(20, 30, []float64{2, 4, 8}, r), askedChains(400, 30, []float64{30, 10, 10}, r)...))}
	if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Evidence[0].AtRisk != 400 || !strings.Contains(s.Reason.EN, "Left out are 20 incidents") {
		t.Errorf("%d at risk: %s", s.Evidence[0].AtRisk, s.Reason.EN)
	}
	if s, _ := suggestStopAfter(c, TuneOptions{Worth: DefaultWorth}); s.Evidence[0].AtRisk != 400 || !strings.Contains(s.Reason.EN, "Left out are 20 incidents") {
		t.Errorf("stop_after: %d at risk: %s", s.Evidence[0].AtRisk, s.Reason.EN)
	}
	// To wait longer than a resolution is worth nobody has to.
	c = Cell{laid: askedChains(400, 3600, []float64{20, 20, 20}, r)}
	if s, _ := suggestMaxRetries(c, TuneOptions{Worth: DefaultWorth}); s.Verdict != Lower || *s.Suggested != 0 {
		t.Errorf("%s: %s", s.Verdict, s.Reason.EN)
	}
}

// Nor do they tell others what a first retry brings.
func TestHasteIsNotLent(t *testing.T) {
	r := rand.New(rand.NewPCG(143, 144))
	all := []Cell{{Scope: Scope{Agent: "none", Operation: "y", Category: "rate_limit"}, laid: spread(chains(400, 0, nil, 0, r))}}
	for i, wait := range []float64{31, 32, 33, 2, 3, 4} {
		of := append(askedChains(300, 30, []float64{wait + 4}, r), askedChains(20, 30, []float64{1}, r)...) // a few hasty ones
		if wait < 30 {
			of = askedChains(300, 30, []float64{wait, wait}, r)
		}
		c := Cell{Scope: Scope{Agent: fmt.Sprint("other", i), Operation: "y", Category: "rate_limit"}, recorded: &recorded{}}
		for _, chain := range spread(of) {
			c.recorded.add(&chain)
		}
		all = append(all, c)
	}
	for _, s := range tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}}).Suggestions {
		if s.Scope.Agent == "none" && (s.Verdict != Raise || !strings.Contains(s.Reason.EN, "3 other agents") || !strings.Contains(s.Reason.EN, " of 900 by")) {
			t.Errorf("%s: %s", s.Verdict, s.Reason.EN)
		}
	}
}

// Nor do they score a decision.
func TestHasteScoresNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(145, 146))
	s, _ := maxRetries.suggest(Cell{laid: chains(600, 2, []float64{0.5, 0.4}, 5, r)}, TuneOptions{Worth: DefaultWorth})
	if s.Verdict != Raise || *s.Suggested != 3 {
		t.Fatalf("%s: %s", s.Verdict, s.Reason.EN)
	}
	s.ID = "s-1"
	d := dismissed(t, s)
	d.Decision.Decision = Applied
	c := Cell{laid: append(chains(400, 3, []float64{0.5, 0.4, 0.3}, 5, r), askedChains(400, 30, []float64{1, 2, 4}, r)...)}
	for i := range c.laid {
		c.laid[i].Opened = january().To.Add(time.Hour)
	}
	o := outcomes([]decided{d}, []Cell{c}, queries.Month(2026, time.February, time.UTC), DefaultWorth.Seconds())[0]
	if o.Verdict != Kept || o.N != 400 || o.Added == nil || o.Added.Won == 0 {
		t.Errorf("%s of %d: %+v", o.Verdict, o.N, o.Added)
	}
}
