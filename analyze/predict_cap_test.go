package analyze

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"hansei/queries"
)

// gaveUp are incidents of which half are hopeless and given up after one retry,
// under limits of few and of many.
func gaveUp(n int, caps [2]int, share float64, hazards []float64, r *rand.Rand) (of []Chain) {
	for range n {
		cap := caps[0]
		if r.Float64() < share {
			cap = caps[1]
		}
		c := chains(1, cap, hazards, 5, r)[0]
		if r.Float64() < 0.5 {
			c = Chain{Cap: cap, Retries: 1, Lost: true, Cost: []Price{{Seconds: 5, Known: true}}}
		}
		of = append(of, c)
	}
	return of
}

// A prediction's bounds hold the share that is true in 95 of 100, and those of
// the next span what that shows, also where few incidents tell of the later
// retries, where many are given up before their limit, and of a stricter limit.
// Scored by the next month it comes true as often.
func TestPredictionHoldsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(133, 134))
	const cells = 800
	mixed := []float64{0.1, 0.1, 0.5, 0.5}
	for _, test := range []struct {
		name string
		draw func() []Chain
		next func() []Chain // once it is in force
		cap  int
	}{
		{"few tell of the later retries", func() []Chain { return mixedLimits(200, [2]int{2, 4}, 0.15, mixed, r) }, func() []Chain { return chains(200, 4, mixed, 5, r) }, 4},
		{"half are given up", func() []Chain { return gaveUp(600, [2]int{3, 4}, 0.3, []float64{0.5, 0.5, 0.5, 0.5}, r) }, func() []Chain { return gaveUp(600, [2]int{4, 4}, 0, []float64{0.5, 0.5, 0.5, 0.5}, r) }, 4},
		{"nobody retries mostly", func() []Chain { return mixedLimits(300, [2]int{0, 1}, 0.3, []float64{0.4}, r) }, func() []Chain { return chains(300, 1, []float64{0.4}, 5, r) }, 1},
		{"stricter", func() []Chain { return chains(150, 3, []float64{0.5, 0.1, 0.02}, 5, r) }, func() []Chain { return chains(150, 1, []float64{0.5}, 5, r) }, 1},
	} {
		truth := tally{}
		for range 200 {
			c := Cell{laid: test.next()}
			seen := c.count().sighted().retried()
			truth.won, truth.n = truth.won+seen.won, truth.n+seen.n
		}
		share := float64(truth.won) / float64(truth.n)
		var long, next held
		verdicts := map[string]int{}
		for range cells {
			of := test.draw()
			p := predictCap([]group{{of: of, steps: hazardsOf(of)}}, 0, test.cap)
			long.add([2]float64{p.Low, p.High}, share)
			c := Cell{Scope: Scope{Agent: "a"}, laid: test.next()}
			seen := c.count().sighted().retried()
			next.add(p.Next, float64(seen.won)/float64(seen.n))
			verdicts[scoredBy(p, test.cap, c)]++
		}
		for what, h := range map[string]held{"the long run": long, "the next span": next} {
			in := float64(h.in) / float64(h.all)
			t.Logf("%s: the bounds of %s hold it in %.1f %%", test.name, what, 100*in)
			if in < 0.93 || in > 0.97 {
				t.Errorf("%s: the bounds of %s hold it in %.1f %%, want 93 to 97 %%", test.name, what, 100*in)
			}
		}
		if kept := float64(verdicts[Kept]) / cells; kept < 0.93 || kept > 0.97 {
			t.Errorf("%s: with the same truth %v, want 93 to 97 %% kept", test.name, verdicts)
		}
	}
}

// mixedLimits are incidents of which a share had the second limit.
func mixedLimits(n int, caps [2]int, share float64, hazards []float64, r *rand.Rand) (of []Chain) {
	for range n {
		cap := caps[0]
		if r.Float64() < share {
			cap = caps[1]
		}
		of = append(of, chains(1, cap, hazards, 5, r)...)
	}
	return of
}

// scoredBy is the verdict on a prediction by a month after it.
func scoredBy(p *Prediction, cap int, c Cell) string {
	made := january().From
	for i := range c.laid {
		c.laid[i].Opened = made.Add(time.Hour)
	}
	s := Suggestion{ID: "s-1", Scope: c.Scope, Knob: maxRetriesKnob, Suggested: number(cap), Prediction: p, Due: january().To}
	return outcomes([]decided{{Decision: queries.Decision{ID: "s-1", Made: made, Decision: Accepted}, suggestion: s}}, []Cell{c}, january(), DefaultWorth.Seconds())[0].Verdict
}

// What is predicted and the effect are one replay: what is resolved now and what
// the change adds, of those that are retried.
func TestPredictionIsTheEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(135, 136))
	of := gaveUp(600, [2]int{3, 3}, 0, []float64{0.5, 0.5, 0.5, 0.5}, r)
	c := Cell{laid: of}
	seen := c.count().sighted().retried()
	for cap := 1; cap <= 4; cap++ {
		steps := hazardsOf(of)
		p, e := predictCap([]group{{of: of, steps: steps}}, 3, cap), replay(of, 3, cap, steps)
		if want := (float64(seen.won) + e.Resolved) / float64(seen.n); math.Abs(p.Share-want) > 1e-3 {
			t.Errorf("%d retries: predicted %.3f, the effect comes to %.3f", cap, p.Share, want)
		}
	}
}

// Where limits are not alike, each group goes on by its own record, in the
// prediction as in the effect, and the bounds are those of the long run.
func TestPredictionOfUnlikeLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(149, 150))
	var long held
	for range 200 {
		of := append(chains(300, 3, []float64{0.6, 0.6, 0.6}, 5, r), chains(300, 2, []float64{0.1, 0.1}, 5, r)...)
		groups, _ := groupsOf(of, 3, carried{{2, 300}}, TuneOptions{})
		if groups == nil {
			t.Fatal("they are alike")
		}
		c := Cell{laid: of}
		seen := c.count().sighted().retried()
		p, e := predictCap(groups, 3, 3), replayGroups(groups, 3, 3)
		if want := (float64(seen.won) + e.Resolved) / float64(seen.n); math.Abs(p.Share-want) > 1e-3 {
			t.Fatalf("predicted %.3f, the effect comes to %.3f", p.Share, want)
		}
		p = predictCap(groups, 3, 2)
		long.add([2]float64{p.Low, p.High}, (1-0.4*0.4+1-0.9*0.9)/2)
	}
	if long.in < 186 { // as many of each limit: the share varies less than that of a mixture
		t.Errorf("the bounds hold the truth in %d of 200", long.in)
	}
}
