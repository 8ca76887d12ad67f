package analyze

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// A limit that nobody obeys is told as that, with what obeying it would come to.
func TestLimitsThatAreNotObeyed(t *testing.T) {
	r := rand.New(rand.NewPCG(151, 152))
	for _, test := range []struct {
		name    string
		hazards []float64
		says    string
		not     string
	}{
		{"the later ones win", []float64{0.4, 0.4, 0.4, 0.4, 0.4, 0.4}, "To obey it would come to -", "part of the effect"},
		{"in vain", []float64{0, 0, 0, 0, 0, 0}, "+0 resolved, -900 retries, -27000 s, which is part of the effect.", "%!"},
	} {
		c := Cell{Scope: Scope{"a", "op", "network", ""}, laid: spread(chains(300, 6, test.hazards, 30, r))}
		resolved := 0
		for i := range c.laid {
			c.laid[i].Cap = 3
			if c.laid[i].Won && c.laid[i].Retries > 3 {
				resolved++
			}
		}
		got := tune([]Cell{c}, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}})
		s := got.Suggestions[0]
		if !strings.Contains(s.Reason.EN, test.says) || strings.Contains(s.Reason.EN, test.not) || !strings.Contains(s.Reason.JA, "守られていません") || strings.Contains(s.Reason.JA, "%!") {
			t.Errorf("%s: %s: %s %s", test.name, s.Verdict, s.Reason.EN, s.Reason.JA)
		}
		beyond := 0
		for _, n := range got.Notes {
			if n.What == "beyond their limit" {
				beyond = n.Incidents
			}
		}
		want := 0
		for i := range c.laid {
			if c.laid[i].Retries > 3 {
				want++
			}
		}
		if beyond != want {
			t.Errorf("%s: noted %d of %d", test.name, beyond, want)
		}
		if resolved > 0 && !strings.Contains(s.Reason.EN, "-"+strconv.Itoa(resolved)+" resolved") {
			t.Errorf("%s: want -%d resolved: %s", test.name, resolved, s.Reason.EN)
		}
	}
}
