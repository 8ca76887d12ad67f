package analyze

import (
	"math"
	"math/rand/v2"
	"testing"
)

func policies(t *testing.T, text string) *Policies {
	t.Helper()
	p, err := ParsePolicies([]byte("version: 1\npolicies:\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A stricter policy is replayed exactly: by hand on four incidents.
func TestReplayIsExactWhereStricter(t *testing.T) {
	cost := func(s ...float64) (out []Price) {
		for _, x := range s {
			out = append(out, Price{Seconds: x, Waited: x, Tokens: 100, USD: 0.01, Known: true})
		}
		return out
	}
	c := Cell{Scope: Scope{Agent: "a", Operation: "op", Category: "network"}, laid: []Chain{
		{Retries: 1, Won: true, Cap: 3, Cost: cost(5)},
		{Retries: 3, Won: true, Cap: 3, Cost: cost(5, 15, 30)}, // is lost under one retry
		{Retries: 3, Lost: true, Cap: 3, Cost: cost(5, 15, 30)},
		{Retries: 0, Lost: true, Cap: 3},
	}}
	one := policies(t, "  - agent: a\n    max_retries: 1\n")
	rows := replayCells([]Cell{c}, one, nil)
	if len(rows) != 2 {
		t.Fatalf("%d rows, want the cell and the sum", len(rows))
	}
	e := rows[0].Effect
	if e.Resolved != -1 || e.Retries != -4 || e.WaitS != -90 || e.Tokens != -400 || e.CostUSD != -0.04 || rows[0].Extrapolated {
		t.Errorf("%+v", rows[0])
	}
	if e := rows[1].Effect; e.Retries != -4 || rows[1].Incidents != 4 {
		t.Errorf("sum %+v", rows[1])
	}
	stop := policies(t, "  - agent: a\n    stop_after: 2\n") // two failures are one retry
	if got := replayCells([]Cell{c}, stop, one); len(got) != 1 || got[0].Effect != (Effect{}) {
		t.Errorf("stop_after 2 against max_retries 1: %+v", got)
	}
	slow := policies(t, "  - agent: a\n    delays: [10]\n")
	if got := replayCells([]Cell{c}, slow, nil)[0]; !got.Extrapolated || got.Effect.WaitS != 5+5-5-20+5-5-20 {
		t.Errorf("%+v", got)
	}
}

// A looser policy is an expectation, and says so; it meets the truth.
func TestReplayWhereLooser(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	mixed := append(chains(4000, 1, []float64{0.5, 0.4}, 5, r), chains(4000, 2, []float64{0.5, 0.4}, 5, r)...)
	rows := replayCells([]Cell{{Scope: Scope{Agent: "a"}, laid: mixed}}, policies(t, "  - max_retries: 2\n"), nil)
	want := 4000 * 0.5 * 0.4 // those that one retry cut off
	if e := rows[0].Effect; !rows[0].Extrapolated || math.Abs(e.Resolved-want) > 80 || e.Interval.Resolved[0] > want || e.Interval.Resolved[1] < want {
		t.Errorf("%+v, want about %.0f resolved more", rows[0], want)
	}
}
