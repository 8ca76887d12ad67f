package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// A truth is what a simulated cell is drawn from.
type truth struct {
	hazards []float64 // of retry k at k-1, two beyond the cap
	seconds []float64 // of retry k at k-1
	cap     int
}

// value is what an incident of the cell is worth under a cap, in seconds.
func (c *truth) value(cap int, worth float64) float64 {
	total, alive := 0.0, 1.0
	for k := range min(cap, len(c.hazards)) {
		total += alive * (c.hazards[k]*worth - c.seconds[k])
		alive *= 1 - c.hazards[k]
	}
	return total
}

// best is the best cap within reach: one beyond the cap in force at most.
func (c *truth) best(worth float64) int {
	best := 0
	for cap := range c.cap + 2 {
		if c.value(cap, worth) > c.value(best, worth)+1e-9 {
			best = cap
		}
	}
	return best
}

// drawTruth draws one cell of a category whose cells are alike: level and fall
// are the category's first hazard and its factor per retry.
func drawTruth(r *rand.Rand, level beta, fall, price float64) truth {
	c := truth{cap: 1 + r.IntN(5)}
	h := drawBeta(r, level)
	wait := price * (0.5 + r.Float64())
	for range c.cap + 2 {
		c.hazards = append(c.hazards, h)
		c.seconds = append(c.seconds, wait)
		h *= fall * (0.8 + 0.2*r.Float64())
		wait *= 1.5
	}
	return c
}

// A score sums up how the tuner did against the truth.
type score struct {
	fleets, cells, verdicts, wrong, raised, raisedWrong int
	wilson, believed, bounds                            int // bounds that hold the truth, and all
	before, reached, best, withheld, thin               float64
}

// simulate draws a fleet whose truth is known, tunes it, and scores the result.
// Its categories are those of the taxonomy in small: three that pass later, one
// that passes once or never, two that never pass; cells have 8 to 400 incidents.
func simulate(r *rand.Rand, s *score) {
	kinds := []struct {
		level       beta
		fall, price float64
	}{
		{beta{12, 12}, 0.85, 20}, {beta{8, 6}, 0.6, 40}, {beta{6, 14}, 0.9, 60},
		{beta{20, 30}, 0.1, 30}, {beta{0.2, 80}, 1, 40}, {beta{0.1, 100}, 1, 90},
	}
	worth := DefaultWorth.Seconds()
	var all []Cell
	var truths []truth
	for kind, k := range kinds {
		for op := range 5 {
			c := drawTruth(r, k.level, k.fall, k.price)
			n := int(8 * math.Pow(50, r.Float64()))
			cell := Cell{Scope: Scope{Agent: fmt.Sprint("agent", op%3), Operation: fmt.Sprint("op", op), Category: fmt.Sprint("category", kind)}}
			for range n {
				cell.laid = append(cell.laid, drawChain(r, &c))
			}
			all, truths = append(all, cell), append(truths, c)
		}
	}
	byOperation := map[Scope]int{}
	for i, c := range all {
		byOperation[c.Scope] = i
	}
	t := tune(all, &oddities{}, january(), TuneOptions{Knobs: []string{maxRetries.Knob}})
	s.fleets++
	s.withheld += float64(t.Withheld)
	for _, g := range t.Suggestions {
		if g.Knob != maxRetries.Knob {
			continue
		}
		i := byOperation[g.Scope]
		s.add(&g, &truths[i], float64(len(all[i].laid)), worth)
	}
}

// drawChain draws an incident; a few are cut off for reasons of their own.
func drawChain(r *rand.Rand, c *truth) Chain {
	chain := Chain{Opened: january().From.Add(time.Duration(r.IntN(31*24)) * time.Hour), Cap: c.cap}
	for chain.Retries < c.cap && !chain.Won && (chain.Retries == 0 || r.Float64() > 0.02) {
		k := chain.Retries
		chain.Retries++
		chain.Cost = append(chain.Cost, Price{Seconds: c.seconds[k] * (0.5 + r.Float64()), Known: true})
		chain.Won = r.Float64() < c.hazards[k]
	}
	chain.Lost = !chain.Won
	return chain
}

func (s *score) add(g *Suggestion, c *truth, incidents, worth float64) {
	s.cells++
	to := c.cap
	switch g.Verdict {
	case TooLittleData:
		s.thin++
	case Raise, Lower:
		to = int(*g.Suggested)
		s.verdicts++
		worse := c.value(to, worth) < c.value(c.cap, worth)-1e-9
		if worse {
			s.wrong++
		}
		if g.Verdict == Raise {
			s.raised++
			if worse {
				s.raisedWrong++
			}
		}
	}
	s.before += incidents * c.value(c.cap, worth)
	s.reached += incidents * c.value(to, worth)
	s.best += incidents * c.value(c.best(worth), worth)
	for _, e := range g.Evidence {
		h := c.hazards[e.Retry-1]
		if e.AtRisk < 5 {
			continue
		}
		s.bounds++
		if e.Low <= h && h <= e.High {
			s.wilson++
		}
		if e.BelievedLow <= h && h <= e.BelievedHigh {
			s.believed++
		}
	}
}

// Against a truth that is known: the verdicts are right, the bounds hold what
// they promise, and the policies reach what can be reached. 200 fleets, or a
// thousand with HANSEI_TEST_LONG=1.
func TestTunerAgainstKnownTruth(t *testing.T) {
	checkFleets(t, 200, rand.New(rand.NewPCG(2026, 1)), simulate)
}

// checkFleets simulates so many fleets, or a thousand with HANSEI_TEST_LONG=1, and
// checks the score of all.
func checkFleets(t *testing.T, fleets int, r *rand.Rand, simulate func(*rand.Rand, *score)) {
	t.Helper()
	if os.Getenv("HANSEI_TEST_LONG") != "" {
		fleets = 1000
	}
	var s score
	for range fleets {
		simulate(r, &s)
	}
	s.check(t)
}

// check prints the table of a simulation, and wants of it what the tuner promises.
func (s *score) check(t *testing.T) {
	share := func(a, b int) float64 { return float64(a) / float64(b) }
	wrong, wilson, believed := share(s.wrong, s.verdicts), share(s.wilson, s.bounds), share(s.believed, s.bounds)
	reached := s.reached / s.best
	t.Logf(`
fleets                                    %d
cells                                     %d
changes (raise or lower)                  %d
  of them wrong                           %d (%.2f %%)
  raises                                  %d, wrong %d (%.2f %%)
withheld by false discovery control       %.0f
too little data                           %.0f (%.1f %%)
bounds (Wilson) that hold the truth       %.2f %% of %d
bounds (believed) that hold the truth     %.2f %%
value of the policies in force            %.2f %% of the best
value of the suggested policies           %.2f %% of the best`,
		s.fleets, s.cells, s.verdicts, s.wrong, 100*wrong, s.raised, s.raisedWrong, 100*share(s.raisedWrong, max(1, s.raised)),
		s.withheld, s.thin, 100*s.thin/float64(s.cells), 100*wilson, s.bounds, 100*believed, 100*s.before/s.best, 100*reached)
	if wrong > 0.05 {
		t.Errorf("%.2f %% of the changes are wrong, want 5 %% at most", 100*wrong)
	}
	if wrong := share(s.raisedWrong, max(1, s.raised)); wrong > 0.05 || s.raised == 0 {
		t.Errorf("%.2f %% of %d raises are wrong, want 5 %% at most", 100*wrong, s.raised)
	}
	for name, held := range map[string]float64{"Wilson": wilson, "believed": believed} {
		if held < 0.93 || held > 0.97 {
			t.Errorf("%s bounds hold the truth in %.2f %%, want 93 to 97 %%", name, 100*held)
		}
	}
	if reached < 0.97 {
		t.Errorf("the suggested policies reach %.2f %% of the best, want 97 %%", 100*reached)
	}
}

// BenchmarkTune is the tuner's own work for a month of 120 cells, all knobs,
// incidents in memory: what the report of a month pays above its queries.
func BenchmarkTune(b *testing.B) {
	r := rand.New(rand.NewPCG(2026, 2))
	var all []Cell
	for i := range 120 {
		c := Cell{Scope: Scope{Agent: fmt.Sprint("agent", i%4), Operation: fmt.Sprint("op", i), Category: fmt.Sprint("category", i%6)}}
		c.laid = outageChains(100+r.IntN(400), 60, []float64{1 + 20*r.Float64(), 10 + 50*r.Float64(), 50 + 100*r.Float64()}, r)
		for j := range c.laid {
			c.laid[j].Opened = january().From.Add(time.Duration(r.IntN(31*24)) * time.Hour)
			for k := range c.laid[j].At { // no two waits are alike
				c.laid[j].At[k] *= 0.9 + 0.2*r.Float64()
			}
		}
		all = append(all, c)
	}
	b.ReportAllocs()
	for b.Loop() {
		tune(all, &oddities{}, january(), TuneOptions{})
	}
}
