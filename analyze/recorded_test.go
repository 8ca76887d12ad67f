package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// oddChain makes a chain of anything that a store can hold.
func oddChain(r *rand.Rand) Chain {
	real := func() float64 {
		return []float64{0, float64(r.IntN(100_000)) / 1000, r.Float64(), r.ExpFloat64() * 1e300, float64(r.IntN(70)), 1 << 60, math.SmallestNonzeroFloat64}[r.IntN(7)]
	}
	micros := int64(r.IntN(5)) * 1e6 // some open together
	if r.IntN(10) == 0 {
		micros = r.Int64N(4e17) - 2e17 // six thousand years around 1970
	}
	c := Chain{Opened: time.UnixMicro(micros).UTC(), Retries: r.IntN(4), Won: r.IntN(2) > 0, Lost: r.IntN(2) > 0, Blind: r.IntN(9) == 0, Cap: r.IntN(maxChain+2) - 1, Cost: []Price{}}
	if r.IntN(50) == 0 {
		c.Retries = maxChain
	}
	for range c.Retries {
		c.Cost = append(c.Cost, Price{Seconds: real(), Tokens: real(), USD: real(), Waited: real(), Known: r.IntN(3) > 0})
	}
	if c.Retries > 0 && r.IntN(3) > 0 {
		for range c.Retries {
			c.At = append(c.At, real())
		}
	}
	for range r.IntN(3) * r.IntN(3) {
		c.Scores = append(c.Scores, real()-real())
		c.Bar = real()
	}
	if r.IntN(4) == 0 {
		c.After = real()
	}
	return c
}

// What is recorded comes back to the last bit, in one order however it came.
func TestRecorded(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	var want []Chain
	for range 3000 {
		want = append(want, oddChain(r))
	}
	var on bench
	var first []Chain
	for try := range 3 {
		var of recorded
		for i := range want {
			of.add(&want[i])
		}
		got := of.chains(&on)
		if try == 0 {
			first = of.chains(&bench{})
			slices.SortFunc(want, compareChains)
			if !reflect.DeepEqual(first, want) {
				for i := range want {
					if !reflect.DeepEqual(first[i], want[i]) {
						t.Fatalf("chain %d: %+v, want %+v", i, first[i], want[i])
					}
				}
			}
		}
		if !reflect.DeepEqual(got, first) {
			t.Errorf("another order of arrival gave other chains")
		}
		r.Shuffle(len(want), func(i, j int) { want[i], want[j] = want[j], want[i] })
	}
}

// Chains are counted alike whether they are laid out or not.
func TestCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	laid, packed := Cell{}, Cell{recorded: &recorded{}}
	for range 500 {
		c := oddChain(r)
		laid.laid = append(laid.laid, c)
		packed.recorded.add(&c)
	}
	if got, want := packed.count(), laid.count(); !reflect.DeepEqual(got, want) || got.incidents() != 500 || packed.laid != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Cells that are recorded are answered about as those that are not.
func TestTuneRecorded(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	plain, packed := []Cell{}, []Cell{}
	burst := january().From.Add(100 * time.Hour)
	for i := range 24 {
		c := Cell{Scope: Scope{fmt.Sprint("agent", i%5), fmt.Sprint("op", i), []string{"network", "timeout"}[i%2], ""}, laid: spread(chains(30+10*i, 3, []float64{0.5, 0.3, 0.02}, 30, r))}
		for j := range c.laid {
			c.laid[j].Opened = c.laid[j].Opened.Truncate(time.Microsecond)
			if i%4 == 1 && j > len(c.laid)/2 {
				c.laid[j].Cap = 5 // changed
			}
			c.laid[j].Blind = i%7 == 0 && j%3 == 0
			if j%4 == 0 && c.laid[j].Cost != nil {
				c.laid[j].Opened = burst.Add(time.Duration(j) * 10 * time.Second).Truncate(time.Microsecond)
			}
		}
		slices.SortFunc(c.laid, compareChains)
		plain = append(plain, c)
		of := &recorded{}
		for _, j := range r.Perm(len(c.laid)) {
			of.add(&c.laid[j])
		}
		packed = append(packed, Cell{Scope: c.Scope, recorded: of})
	}
	for i := range packed {
		if got, want := resolvedByRetry(packed[i], false), resolvedByRetry(plain[i], false); got != want || got.n == 0 {
			t.Errorf("cell %d, which nobody laid out: %+v, want %+v", i, got, want)
		}
	}
	want, got := tune(plain, &oddities{}, january(), TuneOptions{}), tune(packed, &oddities{}, january(), TuneOptions{})
	earlier := slices.ContainsFunc(want.Suggestions, func(s Suggestion) bool { return s.Earlier != nil })
	outages := slices.ContainsFunc(want.Suggestions, func(s Suggestion) bool { return s.Outages != nil })
	if !earlier || !outages || len(want.Suggestions) < 24 {
		t.Fatalf("outages %+v, %d suggestions: the fleet is too tame", want.Outages, len(want.Suggestions))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %+v, want %+v", got, want)
	}
}
