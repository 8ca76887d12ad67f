package analyze

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Among many cells some timeouts look too long by chance: where one call in a
// hundred passes late and that is worth more than the waiting, hardly one is
// lowered, and where the waiting is for nothing nearly all are.
func TestTimeoutsAgainstKnownTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(131, 132))
	const limit, cells = 60.0, 300
	draw := func(name string, n int, slow, hang float64) Cell {
		c := Cell{Scope: Scope{Agent: name, Operation: "call"}}
		for range n {
			d := Duration{Seconds: 1 + 2*r.Float64(), Passed: true, Calls: 1, First: january().From, Last: january().To}
			switch u := r.Float64(); {
			case u < slow:
				d.Seconds = 20 + 30*r.Float64()
			case u < slow+hang:
				d.Seconds, d.Passed = limit, false
			}
			c.Durations = append(c.Durations, d)
		}
		return c
	}
	var all []Cell
	for i := range cells {
		all = append(all, draw(fmt.Sprint("needed", i), 160, 0.01, 0.05), draw(fmt.Sprint("vain", i), 600, 0, 0.1))
	}
	for i := range all {
		slices.SortFunc(all[i].Durations, func(a, b Duration) int { return cmp.Compare(a.Seconds, b.Seconds) })
	}
	lowered := map[bool]int{} // needed
	for _, s := range tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{timeoutName}}).Suggestions {
		if s.Verdict == Lower && *s.Suggested < 20 {
			lowered[s.Scope.Agent[0] == 'n']++
		}
		if s.Verdict != TooLittleData && s.P == nil {
			t.Fatalf("%+v", s)
		}
	}
	t.Logf("lowered: %d of %d where it is needed, %d where it is not", lowered[true], cells, lowered[false])
	if lowered[true] > (lowered[true]+lowered[false])/20 || lowered[false] < cells*9/10 {
		t.Errorf("lowered: %d of %d where it is needed, %d where it is not", lowered[true], cells, lowered[false])
	}
}
