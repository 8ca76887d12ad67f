package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// A cause is what makes the incidents of a simulated cell: it lasts a time, or
// for good.
type cause struct {
	lasts func(r *rand.Rand) float64
	cured float64   // share that does not last for good
	waits []float64 // before each retry
	vary  float64   // by how much these do: 0.3 is as a random share of 30 % does
	runs  float64   // what a retry itself takes
}

// draw makes an incident, and tells when it would have recovered.
func (c *cause) draw(r *rand.Rand) (chain Chain, at float64) {
	chain.Cap = len(c.waits)
	at = math.Inf(1)
	if r.Float64() < c.cured {
		at = c.lasts(r)
	}
	now := 0.0
	for _, w := range c.waits {
		w *= math.Exp(c.vary * r.NormFloat64())
		now += w + c.runs
		chain.Retries++
		chain.At = append(chain.At, now)
		chain.Cost = append(chain.Cost, Price{Seconds: w + c.runs, Waited: w, Known: true})
		if chain.Won = at <= now; chain.Won {
			break
		}
	}
	chain.Lost = !chain.Won
	return chain, at
}

// drawCause draws a cause of one of three kinds, whose retries wait longer and
// longer from about its mean time on.
func drawCause(r *rand.Rand, kind int) cause {
	mean := 2 * math.Pow(60, r.Float64())
	c := cause{cured: 0.3 + 0.7*r.Float64(), runs: mean * r.Float64() / 2, vary: 0.05 + 0.75*r.Float64()}
	c.lasts = []func(r *rand.Rand) float64{
		func(r *rand.Rand) float64 { return mean * r.ExpFloat64() },
		func(r *rand.Rand) float64 { return mean * math.Exp(r.NormFloat64()) / 2 },
		func(r *rand.Rand) float64 { // most at once, some late
			if r.Float64() < 0.7 {
				return mean / 5 * r.ExpFloat64()
			}
			return 3 * mean * r.ExpFloat64()
		},
	}[kind]
	wait := mean * (0.2 + r.Float64())
	for range 1 + r.IntN(5) {
		c.waits = append(c.waits, wait)
		wait *= 1 + 3*r.Float64()
	}
	return c
}

// value is what an incident is worth in seconds on average, and the share that is
// resolved, where retries wait as given.
func (c *cause) value(waits []float64, retries int, of []float64) (value, resolved float64) {
	for _, at := range of {
		now := 0.0
		for k := range retries {
			now += waits[min(k, len(waits)-1)] + c.runs
			if at <= now {
				resolved++
				break
			}
		}
		value -= now
	}
	n := float64(len(of))
	return (value + resolved*DefaultWorth.Seconds()) / n, resolved / n
}

// Against a truth that is known: the interval of the horizon holds it, the waits
// that are suggested are seldom for the worse and never lose value together, and
// what comes of them is what they predict.
func TestDelaysAgainstKnownTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	const fleets = 300
	var judged, held, predicted, effects, changed, wrong int
	var gained float64
	for fleet := range fleets {
		c := drawCause(r, fleet%3)
		n := int(50 * math.Pow(100, r.Float64()))
		cell := Cell{}
		var truth []float64 // of recoveries, had they all been seen
		var causes []float64
		before, draws := 0.0, max(n, 10_000)
		for i := range draws {
			chain, at := c.draw(r)
			before -= chain.when(chain.Retries-1) / float64(draws)
			if causes = append(causes, at); chain.Won {
				truth = append(truth, at)
				before += DefaultWorth.Seconds() / float64(draws)
			}
			if i < n {
				cell.laid = append(cell.laid, chain)
			}
		}
		slices.Sort(truth)
		w := waitedOf(cell.laid, cell.longestCap())
		if len(w.recovered) < minIncidents {
			continue
		}
		judged++
		low, high := horizon(w.recovered, 0.95)
		if at := truth[len(truth)*95/100]; low <= at && at <= high {
			held++
		}
		if low >= high {
			t.Errorf("an interval from %v to %v", low, high)
		}
		s, _ := waitsOf(cell, TuneOptions{Worth: DefaultWorth})
		if s.Verdict != Lower {
			continue
		}
		changed++
		after, is := c.value(s.Values, len(c.waits), causes)
		gained += after - before
		if after < before {
			wrong++
		}
		if s.Prediction.Low <= is && is <= s.Prediction.High {
			predicted++
		}
		was, e := float64(len(truth))/float64(draws), s.Effect.Interval.Resolved
		if change := float64(n) * (is - was); e[0] <= change && change <= e[1] {
			effects++
		}
	}
	share := func(a, b int) float64 { return float64(a) / float64(b) }
	t.Logf(`
fleets                                    %d
intervals of the horizon that hold it     %.1f %%
changes                                   %d
  of them for the worse                   %d
  that come out as predicted              %.1f %%
  whose effect holds the truth            %.1f %%
  seconds that they gain an incident      %.1f`,
		fleets, 100*share(held, judged), changed, wrong, 100*share(predicted, changed), 100*share(effects, changed), gained/float64(changed))
	if share(held, judged) < 0.93 || judged < fleets/2 {
		t.Errorf("%d of %d intervals hold the truth, want 93 %%", held, judged)
	}
	if changed < fleets/5 || share(wrong, changed) > 0.05 || gained <= 0 {
		t.Errorf("%d changes, %d for the worse, want 5 %% at most", changed, wrong)
	}
	if share(predicted, changed) < 0.93 || share(effects, changed) < 0.93 {
		t.Errorf("of %d changes %d predictions and %d effects hold, want 93 %%", changed, predicted, effects)
	}
}

// Of waits and a limit that are both to come down what gains more comes first, and
// the other says so: with three retries instead of four the same waits would end
// before many recover.
func TestOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	law := cause{lasts: func(r *rand.Rand) float64 { return 5 * r.ExpFloat64() }, cured: 0.9, waits: []float64{5, 15, 30, 600}, vary: 0.3, runs: 1}
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}}
	for i := range 2000 {
		chain, _ := law.draw(r)
		chain.Opened = january().From.Add(time.Duration(i) * time.Minute)
		c.laid = append(c.laid, chain)
	}
	for _, knobs := range [][]string{{delaysKnob}, {delaysKnob, maxRetriesKnob}, {delaysKnob, stopAfterName}} {
		for _, s := range tune([]Cell{c}, &oddities{}, january(), TuneOptions{Knobs: knobs}).Suggestions {
			if s.Verdict != Lower || strings.Contains(s.Reason.EN+s.Reason.JA, "%!") {
				t.Errorf("%s: %s: %+v", s.Knob, s.Verdict, s.Reason)
			}
			if s.Knob == delaysKnob && len(knobs) > 1 && !strings.Contains(s.Reason.EN, "This gains more than "+knobs[1]) {
				t.Errorf("%v: %s", knobs, s.Reason.EN)
			}
		}
	}
	for saved, want := range map[float64]Verdict{-100: Keep, -300: Lower} { // by the waits
		both := []Suggestion{
			{ID: "m", Knob: maxRetriesKnob, Verdict: Lower, Current: number(4), Suggested: number(2), Effect: Effect{WaitS: -200}},
			{ID: "d", Knob: delaysKnob, Verdict: Lower, Current: number(90), Suggested: number(30), Effect: Effect{WaitS: saved}},
		}
		oneByOne(both, TuneOptions{Worth: DefaultWorth})
		if s := both[1]; s.Verdict != want || !strings.Contains(s.Reason.EN, "max_retries") || want == Keep && !strings.Contains(s.Reason.EN, "is to come down first") {
			t.Errorf("waits that save %.0f s: %s: %s", -saved, s.Verdict, s.Reason.EN)
		}
	}
}

// Where incidents of a cell have several limits, one list of waits serves all of
// them: what those of the shorter limit give up counts, and the times that are told
// are those of the longest.
func TestDelaysOfTwoLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(87, 88))
	const fleets, n, draws = 200, 1500, 4000
	var changed, wrong int
	var gained float64
	for fleet := range fleets {
		long := drawCause(r, fleet%3)
		for len(long.waits) < 3 {
			long.waits = append(long.waits, 2*long.waits[len(long.waits)-1])
		}
		short := long
		short.waits = long.waits[:1]
		cell := Cell{}
		causes, before, last := map[bool][]float64{}, 0.0, 0.0
		for i := range draws {
			for _, isLong := range []bool{true, false} {
				of := short
				if isLong {
					of = long
				}
				chain, at := of.draw(r)
				causes[isLong] = append(causes[isLong], at)
				before -= chain.when(chain.Retries-1) / 2 / draws
				if chain.Won {
					before += DefaultWorth.Seconds() / 2 / draws
				}
				if isLong {
					last = max(last, chain.when(chain.Retries-1))
				}
				if i < n {
					cell.laid = append(cell.laid, chain)
				}
			}
		}
		s, _ := waitsOf(cell, TuneOptions{Worth: DefaultWorth})
		if s.Current != nil && (float64(*s.Current) < long.waits[0]+long.waits[1] || float64(*s.Current) > last) {
			t.Errorf("the last retry after %d s, with waits of %v", *s.Current, long.waits)
		}
		if s.Verdict != TooLittleData && !strings.Contains(s.Reason.EN, "Not all incidents had one limit") {
			t.Errorf("%s", s.Reason.EN)
		}
		if s.Verdict != Lower {
			continue
		}
		changed++
		a, _ := long.value(s.Values, len(long.waits), causes[true])
		b, _ := short.value(s.Values, 1, causes[false])
		gained += (a+b)/2 - before
		if (a+b)/2 < before {
			wrong++
		}
	}
	t.Logf("%d changes of %d, %d for the worse, %.1f s gained an incident", changed, fleets, wrong, gained/float64(changed))
	if changed < fleets/10 || 20*wrong > changed || gained <= 0 {
		t.Errorf("%d changes, %d for the worse, want 5 %% at most", changed, wrong)
	}
}
