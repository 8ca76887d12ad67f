package analyze

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A limit that no incident tells is not spoken of as one that is set, and waits are
// no more than the retries that anybody made.
func TestUntoldLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(151, 152))
	for _, untold := range []bool{false, true} {
		c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: chains(400, 4, []float64{0.6, 0, 0, 0}, 40, r)}
		waits := Cell{Scope: c.Scope, laid: chains(400, 2, []float64{0.6, 0.2}, 40, r)}
		for _, of := range [][]Chain{c.laid, waits.laid} {
			for i := range of {
				if untold {
					of[i].Cap = -1
				}
			}
		}
		v := viewOf(c)
		s, _ := v.ask(maxRetries, TuneOptions{}.Priced())
		if says := "No incident tells its limit: 4 retries is the most that any made"; s.Verdict != Lower || strings.Contains(s.Reason.EN, says) != untold || strings.Contains(s.Reason.JA, "最多である4回") != untold {
			t.Errorf("untold %v: %s: %+v", untold, s.Verdict, s.Reason)
		}
		if n := len(waits.pointsOf()); n != 2 {
			t.Errorf("untold %v: %d waits for two retries", untold, n)
		}
	}
}
