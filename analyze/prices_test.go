package analyze

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// A retry costs its seconds, and its tokens or its dollars, whichever is dearer.
func TestPricesSettable(t *testing.T) {
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: spread(chains(600, 2, []float64{0.5, 0.1}, 5, rand.New(rand.NewPCG(121, 122))))}
	for i := range c.laid {
		for k := range c.laid[i].Cost {
			c.laid[i].Cost[k].Tokens, c.laid[i].Cost[k].USD = 20e3, 0.3
		}
	}
	for _, test := range []struct {
		name    string
		o       TuneOptions
		pays    float64 // retry 1
		verdict Verdict
	}{
		{"defaults", TuneOptions{}, 15.8 / 600, Keep},
		{"dear tokens", TuneOptions{TokenPrice: 0.005}, 105.0 / 600, Lower},
		{"neither", TuneOptions{TokenPrice: -1, DollarPrice: -1}, 5.0 / 600, Raise},
		{"dear dollars", TuneOptions{DollarPrice: 400}, 125.0 / 600, Lower},
		{"a resolution is worth more", TuneOptions{DollarPrice: 400, Worth: time.Hour}, 125.0 / 3600, Keep},
	} {
		got := tune([]Cell{c}, &oddities{}, january(), test.o)
		s := got.Suggestions[0]
		if s.Knob != maxRetriesKnob || s.Verdict != test.verdict || math.Abs(s.Evidence[0].Pays-test.pays) > 1e-9 {
			t.Errorf("%s: %s, pays from %.4f, want %.4f: %s", test.name, s.Verdict, s.Evidence[0].Pays, test.pays, s.Reason.EN)
		}
		if s.Verdict == Lower && !strings.Contains(s.Reason.EN, "Each takes 5.0 s and, in tokens or dollars, as much as 1") || strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
			t.Errorf("%s: %+v", test.name, s.Reason)
		}
		if o := test.o.Priced(); got.Worth != o.Worth.Seconds() || got.TokenPrice != o.TokenPrice || got.DollarPrice != o.DollarPrice || min(o.TokenPrice, o.DollarPrice) < 0 {
			t.Errorf("%s: told as %g, %g, %g", test.name, got.Worth, got.TokenPrice, got.DollarPrice)
		}
	}
}
