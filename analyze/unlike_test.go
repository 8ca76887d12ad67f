package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// drawUnlike draws a cell of a category whose operations have nothing in common:
// neither how often the first retry passes, nor how fast that falls, nor the price.
func drawUnlike(r *rand.Rand) truth {
	c := truth{cap: []int{1, 2, 3, 5}[r.IntN(4)]}
	h, fall := drawBeta(r, beta{1.2, 2}), []float64{1, 0.6, 0.3}[r.IntN(3)]
	price := []float64{6, 21, 61}[r.IntN(3)]
	for range c.cap + 2 {
		c.hazards, c.seconds = append(c.hazards, h), append(c.seconds, price)
		h *= fall
	}
	return c
}

// simulateUnlike draws a fleet of 40 such cells of 30 to 400 incidents, of one
// category, tunes it together, and scores the result.
func simulateUnlike(r *rand.Rand, s *score) {
	var all []Cell
	byAgent := map[string]truth{}
	for i := range 40 {
		c := drawUnlike(r)
		cell := Cell{Scope: Scope{Agent: fmt.Sprint("agent", i), Operation: fmt.Sprint("op", i), Category: "network"}}
		for range []int{30, 60, 150, 400}[r.IntN(4)] {
			cell.laid = append(cell.laid, drawChain(r, &c))
		}
		all, byAgent[cell.Scope.Agent] = append(all, cell), c
	}
	t := tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetries.Knob}})
	s.fleets++
	s.withheld += float64(t.Withheld)
	for i := range t.Suggestions {
		g := &t.Suggestions[i]
		c := byAgent[g.Scope.Agent]
		s.add(g, &c, float64(g.N), DefaultWorth.Seconds())
	}
}

// Where the cells around are strangers their word counts little: the policies
// still reach what can be reached. 100 fleets, or a thousand with
// HANSEI_TEST_LONG=1.
func TestUnlikeCellsAgainstKnownTruth(t *testing.T) {
	checkFleets(t, 100, rand.New(rand.NewPCG(2026, 7)), simulateUnlike)
}

// A neighbour that has nothing in common with a cell must not speak louder than
// the cell's own record: the retry beyond it is judged with and without strangers
// to much the same chance.
func TestStrangersAreNoVeto(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	good := Cell{Scope: Scope{Agent: "good", Operation: "x", Category: "network"}, laid: spread(chains(600, 2, []float64{0.5, 0.47}, 6, r))}
	all := []Cell{good}
	for i := range 3 {
		never := Cell{Scope: Scope{Agent: fmt.Sprint("never", i), Operation: "y", Category: "network"}, laid: spread(chains(300, 4, nil, 6, r))}
		all = append(all, never)
	}
	for _, fleet := range [][]Cell{all[:1], all} {
		for _, s := range tune(fleet, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetriesKnob}}).Suggestions {
			if s.Scope == good.Scope && (s.Verdict != Raise || *s.Suggested != 3 || *s.P > 0.01) {
				t.Errorf("with %d strangers: %s to %d, p = %.2g: %s", len(fleet)-1, s.Verdict, *s.Suggested, *s.P, s.Reason.EN)
			}
		}
	}
}
