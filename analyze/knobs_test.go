package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// With exact and right-censored times the self-consistent estimate is Kaplan
// and Meier's: the published curve of the 6-mercaptopurine group again.
func TestRecoveryIsKaplanMeier(t *testing.T) {
	var of []interval
	for _, week := range []float64{6, 6, 6, 7, 10, 13, 16, 22, 23} {
		of = append(of, interval{week - 0.5, week})
	}
	for _, week := range []float64{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35} {
		of = append(of, interval{week, math.Inf(1)})
	}
	c := recovery(of)
	for week, want := range map[float64]float64{6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448} {
		i := slices.Index(c.times, week)
		if i < 0 || math.Abs(1-c.share[i]-want) > 0.005 {
			t.Errorf("week %v: %v, want %.3f", week, c, want)
		}
	}
}

// Running sums give what adding up each span gives: the definition of
// self-consistency, taken at its word.
func TestRecoveryIsSelfConsistent(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 30 {
		var of []interval
		for _, c := range outageChains(20+r.IntN(300), 60, []float64{1 + 20*r.Float64(), 10 + 50*r.Float64(), 100}, r) {
			x, _, _ := c.recovers()
			of = append(of, x, interval{x.low + r.Float64(), x.high + 200*r.Float64()})
		}
		got, want := recovery(of), selfConsistent(of)
		for i := range want {
			if math.Abs(got.share[i]-want[i]) > 1e-3 {
				t.Fatalf("%d times, by %.1f s: %.5f, want %.5f", len(of), got.times[i], got.share[i], want[i])
			}
		}
	}
}

// selfConsistent shares each observation among the points of its interval,
// curveRounds times.
func selfConsistent(of []interval) []float64 {
	times := pointsOf(of).times
	mass := make([]float64, len(times)+1)
	for i := range mass {
		mass[i] = 1 / float64(len(mass))
	}
	for range curveRounds {
		next := make([]float64, len(mass))
		for _, x := range of {
			var in []int
			total := 0.0
			last := len(times)
			if !math.IsInf(x.high, 1) {
				last = slices.IndexFunc(times, func(at float64) bool { return at >= x.high })
			}
			for i := range last + 1 {
				if i == last || times[i] > x.low {
					in = append(in, i)
					total += mass[i]
				}
			}
			for _, i := range in {
				next[i] += mass[i] / total / float64(len(of))
			}
		}
		mass = next
	}
	share, sum := make([]float64, len(times)), 0.0
	for i := range times {
		sum += mass[i]
		share[i] = sum
	}
	return share
}

// outageChains are incidents whose cause lasts an exponential time, retried
// after fixed waits: the truth is the time, not the number of tries.
func outageChains(n int, mean float64, waits []float64, r *rand.Rand) []Chain {
	var out []Chain
	for range n {
		c := Chain{Cap: len(waits)}
		ends, now := r.ExpFloat64()*mean, 0.0
		for _, w := range waits {
			now += w
			c.Retries++
			c.At = append(c.At, now)
			c.Cost = append(c.Cost, Price{Seconds: w, Known: true})
			if c.Won = ends <= now; c.Won {
				break
			}
		}
		c.Lost = !c.Won
		out = append(out, c)
	}
	return out
}

// The curve of recovery finds the truth through the coarse view of the retries.
func TestRecoveryFindsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	var all []Chain
	for range 40 { // many policies look at the same cause
		all = append(all, outageChains(100, 60, []float64{1 + 20*r.Float64(), 10 + 50*r.Float64(), 50 + 100*r.Float64(), 300}, r)...)
	}
	var of []interval
	for i := range all {
		x, _, _ := all[i].recovers()
		of = append(of, x)
	}
	c := recovery(of)
	off := 0.0
	for i, at := range c.times {
		off += math.Abs(c.share[i]-1+math.Exp(-at/60)) / float64(len(c.times))
	}
	if off > 0.05 {
		t.Errorf("the curve is off by %.3f on average: %+v", off, c)
	}
}

func TestDelays(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	suggest := func(c []Chain) Suggestion {
		s, _ := waitsOf(Cell{Scope: Scope{Agent: "a"}, laid: c}, TuneOptions{Worth: DefaultWorth})
		if strings.Contains(s.Reason.EN+s.Reason.JA, "%!") || s.Reason.EN == "" {
			t.Errorf("reason %+v", s.Reason)
		}
		return s
	}
	late := outageChains(400, 5, []float64{5, 15, 30, 600}, r) // recovered long before the last
	for i := range late {                                      // a few never do
		if i%10 == 0 {
			late[i] = Chain{Retries: 4, Cap: 4, Lost: true, At: []float64{5, 20, 50, 650}}
		}
		late[i].Cost = nil
		for _, w := range []float64{5, 15, 30, 600}[:late[i].Retries] {
			late[i].Cost = append(late[i].Cost, Price{Seconds: w, Waited: w, Known: true})
		}
	}
	if s := suggest(late); s.Verdict != Lower || *s.Suggested >= 100 || !slices.Equal(s.Values, []float64{5, 15}) { // the 80 and the 95 % point are one time
		t.Errorf("%s, %v to %v: %s", s.Verdict, *s.Current, *s.Suggested, s.Reason.EN)
	}
	few := outageChains(15, 5, []float64{5, 15}, r)
	if s := suggest(few); s.Verdict != TooLittleData || s.Needed < minIncidents-15 {
		t.Errorf("%s, %d needed", s.Verdict, s.Needed)
	}
	asked := outageChains(100, 5, []float64{5, 15}, r)
	for i := range asked {
		asked[i].After = 30
	}
	if s := suggest(asked); s.Values[0] < 30 || !strings.Contains(s.Reason.EN, "Retry-After, which 100 incidents") {
		t.Errorf("waits %v: %s", s.Values, s.Reason.EN)
	}
	blindTimes := outageChains(100, 5, []float64{5, 15}, r)
	for i := range blindTimes {
		blindTimes[i].At = nil // clocks differ: the waits that were reported are added up
	}
	if s := suggest(blindTimes); s.Verdict == TooLittleData || *s.Suggested != 20 && *s.Suggested != 5 {
		t.Errorf("%s to %v", s.Verdict, s.Suggested)
	}
	zero := outageChains(100, 0, []float64{0, 0}, r) // all waits are zero
	if s := suggest(zero); slices.ContainsFunc(s.Values, math.IsNaN) {
		t.Errorf("%v", s.Values)
	}
}

func TestStopAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	for _, test := range []struct {
		name    string
		agent   string
		hazards []float64
		n       int
		verdict Verdict
		want    int64
	}{
		{"recovers twice, then never", "a", []float64{0.5, 0.5, 0, 0, 0, 0}, 2000, Lower, 3},
		{"goes past the document's three", "monadic", []float64{0.4, 0.4, 0.4, 0.4, 0, 0}, 3000, Lower, 5},
		{"always recovers", "a", []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, 200, Keep, 0},
		{"too few", "a", []float64{0.5}, 10, TooLittleData, 0},
	} {
		s, _ := suggestStopAfter(Cell{Scope: Scope{Agent: test.agent}, laid: chains(test.n, 6, test.hazards, 5, r)}, TuneOptions{})
		if s.Verdict != test.verdict || test.want > 0 && *s.Suggested != test.want {
			t.Errorf("%s: %s %v: %s", test.name, s.Verdict, s.Suggested, s.Reason.EN)
		}
	}
}

func TestScoreBar(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	var of []Chain
	for range 400 {
		score := 30 + 40*r.Float64()
		h := 0.0 // from far below it never passes
		if score > 55 {
			h = 0.6
		}
		c := Chain{Bar: 70, Scores: []float64{score}, Retries: 1, Cost: []Price{{Seconds: 60, Known: true}}}
		c.Won = r.Float64() < h
		of = append(of, c)
	}
	s, ok := suggestScoreBar(Cell{laid: of}, TuneOptions{Worth: DefaultWorth})
	if !ok || s.Verdict != Lower || len(s.Values) != 1 || s.Values[0] != 55 {
		t.Errorf("%s %v: %s", s.Verdict, s.Values, s.Reason.EN)
	}
	if e := s.Effect; e.Resolved != 0 || e.Retries >= 0 || e.WaitS != 60*e.Retries {
		t.Errorf("stopping there comes to %+v", e)
	}
	other := slices.Clone(of[:100]) // under a lower bar the same scores mean something else
	for i := range other {
		other[i].Bar = 40
	}
	if mixed, _ := suggestScoreBar(Cell{laid: append(other, of...)}, TuneOptions{Worth: DefaultWorth}); *mixed.Current != 70 || mixed.Effect.Retries != s.Effect.Retries || mixed.N != 400 {
		t.Errorf("of two bars: %+v, want what one told: %+v", mixed, s)
	}
	of = nil // each iteration adds some eight points: none reaches the bar at once from far below, most do in the end
	for range 400 {
		c := Chain{Bar: 70, Scores: []float64{40 + 20*r.Float64()}}
		for c.Retries < 3 && !c.Won {
			c.Scores = append(c.Scores, c.Scores[c.Retries]+4+8*r.Float64())
			c.Retries++
			c.Cost = append(c.Cost, Price{Seconds: 60, Known: true})
			c.Won = c.Scores[c.Retries] >= c.Bar
		}
		of = append(of, c)
	}
	if s, ok := suggestScoreBar(Cell{laid: of}, TuneOptions{Worth: DefaultWorth}); !ok || s.Verdict != Keep {
		t.Errorf("%s %v: %s", s.Verdict, s.Values, s.Reason.EN)
	}
	if _, ok := suggestScoreBar(Cell{laid: chains(50, 2, []float64{0.5}, 5, r)}, TuneOptions{}); ok {
		t.Error("incidents without scores say nothing of a bar")
	}
}

func TestTimeout(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 60))
	calls := func(n int, mean, limit float64, hang int) (of []Duration) {
		for range n {
			d := r.ExpFloat64() * mean
			of = append(of, Duration{Seconds: min(d, limit), Passed: d < limit, Calls: 1})
		}
		for range hang {
			of = append(of, Duration{Seconds: limit, Calls: 1})
		}
		slices.SortFunc(of, func(a, b Duration) int { return int(math.Copysign(1, a.Seconds-b.Seconds)) })
		return of
	}
	for _, test := range []struct {
		name    string
		of      []Duration
		verdict Verdict
	}{
		{"much too long", calls(1000, 2, 120, 30), Lower},
		{"cuts off what would pass", calls(1000, 30, 40, 0), Raise},
		{"too few", calls(50, 2, 60, 5), TooLittleData},
	} {
		s, ok := suggestTimeout(Cell{Durations: test.of}, TuneOptions{Worth: DefaultWorth})
		if !ok || s.Verdict != test.verdict {
			t.Errorf("%s: %s: %s", test.name, s.Verdict, s.Reason.EN)
		}
		if test.verdict == Lower && (*s.Suggested < 8 || *s.Suggested > 16) { // 99 % of an exponential of 2 s: 9.2 s
			t.Errorf("%s: %d s", test.name, *s.Suggested)
		}
	}
	if _, ok := suggestTimeout(Cell{Durations: calls(200, 2, 1e9, 0)}, TuneOptions{}); ok {
		t.Error("without a timeout in force there is nothing to say")
	}
}
