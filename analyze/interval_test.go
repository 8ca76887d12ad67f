package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hansei/queries"
)

// held counts in how many of the trials an interval held the truth.
type held struct{ in, all int }

func (h *held) add(interval [2]float64, truth float64) {
	if h.all++; interval[0] <= truth && truth <= interval[1] {
		h.in++
	}
}

// The interval of a replay is for another span of as many incidents: under the
// same truth it holds what that span comes to in 93 to 97 of 100, of a stricter
// cap and of a looser one.
func TestReplayIntervalHoldsTheNextSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(131, 132))
	hazards := []float64{0.5, 0.3, 0.2}
	const cells = 800
	for _, test := range []struct {
		name string
		draw func() []Chain // a span as it is recorded
		cap  int
	}{
		{"stricter", func() []Chain { return chains(150, 3, hazards, 5, r) }, 1},
		{"looser", func() []Chain { return mixedLimits(250, [2]int{1, 3}, 0.3, hazards, r) }, 3},
		{"looser by what few tried", func() []Chain { return mixedLimits(200, [2]int{1, 3}, 0.15, hazards, r) }, 3},
	} {
		policy := policies(t, fmt.Sprintf("  - max_retries: %d\n", test.cap))
		var resolved, retries, wait held
		for range cells {
			of := test.draw()
			c := Cell{Scope: Scope{Agent: "a"}, laid: of}
			if groups, _ := groupsOf(of, c.inForce(), c.count().caps.beside(c.inForce()), TuneOptions{}); groups != nil {
				continue // one in twenty looks like two
			}
			e := replayCells([]Cell{c}, queries.Filter{}, policy, nil)[0].Effect
			if steps := hazardsOf(of); replay(of, 0, test.cap, steps) != e {
				t.Fatalf("%s: tune says %+v, replay %+v", test.name, replay(of, 0, test.cap, steps), e)
			}
			d := nextSpan(test.draw(), test.cap, hazards, r)
			resolved.add(e.Interval.Resolved, d.Resolved)
			retries.add(e.Interval.Retries, d.Retries)
			wait.add(e.Interval.WaitS, d.WaitS)
		}
		for what, h := range map[string]held{"resolved": resolved, "retries": retries, "wait": wait} {
			share := float64(h.in) / float64(h.all)
			t.Logf("%s: the interval of %s holds the next span's in %.1f %%", test.name, what, 100*share)
			if share < 0.93 || share > 0.97 {
				t.Errorf("%s: the interval of %s holds the next span's in %.1f %%, want 93 to 97 %%", test.name, what, 100*share)
			}
		}
	}
}

func hazardsOf(of []Chain) []step { return hazards(of, TuneOptions{}) }

// nextSpan is what a cap makes of another span, whose truth is known: each
// incident that its own cap cut off goes on as it would have.
func nextSpan(of []Chain, cap int, hazards []float64, r *rand.Rand) (e Effect) {
	for i := range of {
		c := &of[i]
		made, won := min(c.Retries, cap), c.Won && c.Retries <= cap
		for made < cap && !won {
			made++
			won = r.Float64() < hazards[made-1]
		}
		e.Retries += float64(made - c.Retries)
		e.WaitS += 5 * float64(made-c.Retries)
		if won {
			e.Resolved++
		}
		if c.Won {
			e.Resolved--
		}
	}
	return e
}
