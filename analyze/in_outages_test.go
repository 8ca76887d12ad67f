package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A change that loses more in outages than it gains else says so.
func TestOutagesThatOutweigh(t *testing.T) {
	r := rand.New(rand.NewPCG(141, 142))
	o := TuneOptions{}.Priced()
	for _, test := range []struct {
		struck int
		loses  bool
	}{{100, false}, {4000, true}} {
		of := chains(400, 2, []float64{0.5, 0.3}, 20, r)
		down := chains(test.struck, 2, nil, 20, r)
		for i := range down {
			down[i].Outage = true
		}
		v := viewOf(Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: spread(append(of, down...))})
		s, _ := v.ask(maxRetries, o)
		if s.Verdict != Raise || s.Outages == nil || s.Outages.Effect == nil {
			t.Fatalf("%+v", s)
		}
		loses := s.gain(o)+s.Outages.Effect.Worth(o) < 0
		if loses != test.loses || strings.Contains(s.Reason.EN, "outages included, the change loses") != loses || strings.Contains(s.Reason.JA, "障害を含めると損") != loses {
			t.Errorf("%d struck: gains %.0f s, and %.0f s in outages: %+v", test.struck, s.gain(o), s.Outages.Effect.Worth(o), s.Reason)
		}
	}
}
